// expect: correct=pass safe=pass fast=10..25
// The product of lab 07: tiles of 32 × 32 in shared memory, and one result a thread.
// Without the topic: 51 of 100 points.
#include <cuda_runtime.h>

constexpr int tile = 32;

__global__ void multiply(const float* a, const float* b, float* c, int j, int k, int l) {
  __shared__ float tile_a[tile][tile], tile_b[tile][tile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * tile + ty, col = blockIdx.x * tile + tx;
  float sum = 0.0f;
  for (int step = 0; step < k; step += tile) {
    tile_a[ty][tx] = row < j && step + tx < k ? a[static_cast<size_t>(row) * k + step + tx] : 0.0f;
    tile_b[ty][tx] = step + ty < k && col < l ? b[static_cast<size_t>(step + ty) * l + col] : 0.0f;
    __syncthreads();
    for (int i = 0; i < tile; ++i) sum += tile_a[ty][i] * tile_b[i][tx];
    __syncthreads();
  }
  if (row < j && col < l) c[static_cast<size_t>(row) * l + col] = sum;
}

void gemm(const float* a, const float* b, float* c, int j, int k, int l) {
  multiply<<<dim3((l + tile - 1) / tile, (j + tile - 1) / tile), dim3(tile, tile)>>>(a, b, c, j, k, l);
}
