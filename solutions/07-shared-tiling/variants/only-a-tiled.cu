// expect: correct=pass safe=pass fast=58..69
// Half of the idea: A comes through shared memory, B still from global memory for every multiply-add.
#include <cuda_runtime.h>

#define TILE 16

__global__ void multiply(const float* a, const float* b, float* c, int j, int k, int l) {
  __shared__ float ds_A[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y;
  int col = blockIdx.x * TILE + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < k; t += TILE) {
    if (row < j && t + threadIdx.x < k)
      ds_A[threadIdx.y][threadIdx.x] = a[row * k + t + threadIdx.x];
    else
      ds_A[threadIdx.y][threadIdx.x] = 0;
    __syncthreads();
    if (col < l)
      for (int p = 0; p < TILE && t + p < k; ++p) sum += ds_A[threadIdx.y][p] * b[(t + p) * l + col];
    __syncthreads();
  }
  if (row < j && col < l) c[row * l + col] = sum;
}

void matrix_multiply(const float* a, const float* b, float* c, int j, int k, int l) {
  multiply<<<dim3((l - 1) / TILE + 1, (j - 1) / TILE + 1), dim3(TILE, TILE)>>>(a, b, c, j, k, l);
}
