// Lab 13: the tiled matrix product, coarsened.
//
// P = M · N, where M has j × k floats, N has k × l and P has j × l, all stored row after row in device memory.
// The sizes are any positive numbers; nothing promises that a tile divides them.
#include <cuda_runtime.h>

// A block has tile_width × tile_width threads. Each thread computes coarse_factor elements of one row of P, tile_width
// columns apart: the block covers coarse_factor tiles of P side by side.
constexpr int tile_width = 16;
constexpr int coarse_factor = 4;

__global__ void multiply_tiles(const float* m, const float* n, float* p, int j, int k, int l) {
  // Declare the shared tiles. Which row of P is this thread's, which is the first of its columns, and where are its sums?
  //@@ begin solution
  __shared__ float tile_m[tile_width][tile_width];
  __shared__ float tile_n[tile_width][tile_width];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * tile_width + ty;
  const int first_col = blockIdx.x * tile_width * coarse_factor + tx;
  float sum[coarse_factor] = {};
  //@@ end solution

  // Phase after phase, along the k columns of M and the k rows of N: which tile is loaded once in a phase, which
  // coarse_factor times? What has to be waited for, and when?
  //@@ begin solution
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
        sum[c] += tile_m[ty][i] * tile_n[i][tx];
      }
      __syncthreads();
    }
  }
  //@@ end solution

  // Store the results that this thread has. Not all of its columns need to exist.
  //@@ begin solution
  for (int c = 0; c < coarse_factor; ++c) {
    const int col = first_col + c * tile_width;
    if (row < j && col < l) {
      p[row * l + col] = sum[c];
    }
  }
  //@@ end solution
}

// Called by the tests. `m`, `n` and `p` are device pointers.
void matrix_multiply(const float* m, const float* n, float* p, int j, int k, int l) {
  // Choose a grid that covers P, and launch the kernel. How many columns of P does a block cover?
  //@@ begin solution
  const dim3 block(tile_width, tile_width);
  const int block_cols = tile_width * coarse_factor;
  const dim3 grid((l + block_cols - 1) / block_cols, (j + tile_width - 1) / tile_width);
  multiply_tiles<<<grid, block>>>(m, n, p, j, k, l);
  //@@ end solution
}
