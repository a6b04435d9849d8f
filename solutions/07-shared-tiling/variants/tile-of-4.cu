// expect: correct=pass safe=pass fast=45..62
// A tile of 4: loads fall by 4 only, and a block of 16 threads fills half a warp.
#include <cuda_runtime.h>

#define TILE_WIDTH 4

__global__ void multiply(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float ds_M[TILE_WIDTH][TILE_WIDTH];
  __shared__ float ds_N[TILE_WIDTH][TILE_WIDTH];
  int bx = blockIdx.x, by = blockIdx.y;
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = by * TILE_WIDTH + ty;
  int col = bx * TILE_WIDTH + tx;
  float value = 0;
  for (int t = 0; t < (k - 1) / TILE_WIDTH + 1; ++t) {
    if (row < j && t * TILE_WIDTH + tx < k)
      ds_M[ty][tx] = M[row * k + t * TILE_WIDTH + tx];
    else
      ds_M[ty][tx] = 0;
    if (t * TILE_WIDTH + ty < k && col < l)
      ds_N[ty][tx] = N[(t * TILE_WIDTH + ty) * l + col];
    else
      ds_N[ty][tx] = 0;
    __syncthreads();
    for (int p = 0; p < TILE_WIDTH; ++p) value += ds_M[ty][p] * ds_N[p][tx];
    __syncthreads();
  }
  if (row < j && col < l) P[row * l + col] = value;
}

void matrix_multiply(const float* a, const float* b, float* c, int j, int k, int l) {
  dim3 block(TILE_WIDTH, TILE_WIDTH);
  dim3 grid((l - 1) / TILE_WIDTH + 1, (j - 1) / TILE_WIDTH + 1);
  multiply<<<grid, block>>>(a, b, c, j, k, l);
}
