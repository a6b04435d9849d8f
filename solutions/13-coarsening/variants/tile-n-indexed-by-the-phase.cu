// expect: correct=fail safe=pass fast=not_measured
// A wrong index: the tile of N is read with the number of the phase instead of the running index.
#include <cuda_runtime.h>

constexpr int tile_width = 16;
constexpr int coarse_factor = 4;

__global__ void multiply_tiles(const float* m, const float* n, float* p, int j, int k, int l) {
  __shared__ float tile_m[tile_width][tile_width];
  __shared__ float tile_n[tile_width][tile_width];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * tile_width + ty;
  const int first_col = blockIdx.x * tile_width * coarse_factor + tx;
  float sum[coarse_factor] = {};

  const int phases = (k + tile_width - 1) / tile_width;
  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * tile_width + tx;
    const int n_row = phase * tile_width + ty;
    tile_m[ty][tx] = row < j && m_col < k ? m[row * k + m_col] : 0.0f;

    for (int c = 0; c < coarse_factor; ++c) {
      const int col = first_col + c * tile_width;
      tile_n[ty][tx] = n_row < k && col < l ? n[n_row * l + col] : 0.0f;
      __syncthreads();

      for (int i = 0; i < tile_width; ++i) {
        sum[c] += tile_m[ty][i] * tile_n[phase][tx];
      }
      __syncthreads();
    }
  }

  for (int c = 0; c < coarse_factor; ++c) {
    const int col = first_col + c * tile_width;
    if (row < j && col < l) {
      p[row * l + col] = sum[c];
    }
  }
}

void matrix_multiply(const float* m, const float* n, float* p, int j, int k, int l) {
  const dim3 block(tile_width, tile_width);
  const int block_cols = tile_width * coarse_factor;
  const dim3 grid((l + block_cols - 1) / block_cols, (j + tile_width - 1) / tile_width);
  multiply_tiles<<<grid, block>>>(m, n, p, j, k, l);
}
