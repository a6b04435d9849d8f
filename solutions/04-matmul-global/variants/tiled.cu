// expect: correct=pass safe=pass fast=90..100
// Better than asked: the tiled product of lab 07.
#include <cuda_runtime.h>

constexpr int tile_width = 16;

__global__ void multiply_tiles(const float* m, const float* n, float* p, int j, int k, int l) {
  __shared__ float tile_m[tile_width][tile_width];
  __shared__ float tile_n[tile_width][tile_width];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * tile_width + ty;
  const int col = blockIdx.x * tile_width + tx;
  float sum = 0.0f;
  for (int first = 0; first < k; first += tile_width) {
    tile_m[ty][tx] = row < j && first + tx < k ? m[row * k + first + tx] : 0.0f;
    tile_n[ty][tx] = first + ty < k && col < l ? n[(first + ty) * l + col] : 0.0f;
    __syncthreads();
    for (int i = 0; i < tile_width; ++i) sum += tile_m[ty][i] * tile_n[i][tx];
    __syncthreads();
  }
  if (row < j && col < l) p[row * l + col] = sum;
}

void matrix_multiply(const float* m, const float* n, float* p, int j, int k, int l) {
  const dim3 grid((l + tile_width - 1) / tile_width, (j + tile_width - 1) / tile_width);
  multiply_tiles<<<grid, dim3(tile_width, tile_width)>>>(m, n, p, j, k, l);
}
