// expect: correct=fail safe=pass fast=not_measured
// A wrong index: the tile of B is indexed by the phase instead of by the running index p.
#include <cuda_runtime.h>

constexpr int tile_width = 16;

__global__ void multiply_tiles(const float* a, const float* b, float* c, int j, int k, int l) {
  __shared__ float tile_a[tile_width][tile_width];
  __shared__ float tile_b[tile_width][tile_width];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * tile_width + ty;
  const int col = blockIdx.x * tile_width + tx;
  float sum = 0.0f;

  const int phases = (k + tile_width - 1) / tile_width;
  for (int phase = 0; phase < phases; ++phase) {
    const int a_col = phase * tile_width + tx;
    const int b_row = phase * tile_width + ty;
    tile_a[ty][tx] = row < j && a_col < k ? a[row * k + a_col] : 0.0f;
    tile_b[ty][tx] = b_row < k && col < l ? b[b_row * l + col] : 0.0f;
    __syncthreads();
    for (int p = 0; p < tile_width; ++p) {
      sum += tile_a[ty][p] * tile_b[phase][tx];
    }
    __syncthreads();
  }

  if (row < j && col < l) {
    c[row * l + col] = sum;
  }
}

void matrix_multiply(const float* a, const float* b, float* c, int j, int k, int l) {
  const dim3 block(tile_width, tile_width);
  const dim3 grid((l + tile_width - 1) / tile_width, (j + tile_width - 1) / tile_width);
  multiply_tiles<<<grid, block>>>(a, b, c, j, k, l);
}
