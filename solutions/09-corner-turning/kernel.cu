// Lab 09: corner turning.
//
// P = M · N, where M has j × k floats and P has j × l, stored row after row, but N, which has k × l floats, is stored
// column after column: element (row, col) of N is n[col * k + row]. The sizes are any positive numbers.
#include <cuda_runtime.h>

// A block computes one square tile of P, one element a thread.
constexpr int tile_width = 16;

__global__ void multiply_tiles(const float* m, const float* n, float* p, int j, int k, int l) {
  // Which element of P is this thread's? Declare the two tiles that the block shares. How long is a row of each?
  //@@ begin solution
  __shared__ float tile_m[tile_width][tile_width];
  __shared__ float tile_n[tile_width][tile_width + 1];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * tile_width + ty;
  const int col = blockIdx.x * tile_width + tx;
  float sum = 0.0f;
  //@@ end solution

  // Phase after phase, along the k columns of M and the k rows of N:
  //   each thread brings one element of M and one of N into shared memory. Which element of N, if neighbouring threads
  //   are to read neighbouring addresses? It need not be one that this thread multiplies with;
  //   the block waits, multiplies, and waits again.
  //@@ begin solution
  const int n_col = blockIdx.x * tile_width + ty;
  const int phases = (k + tile_width - 1) / tile_width;
  for (int phase = 0; phase < phases; ++phase) {
    const int along = phase * tile_width + tx;
    tile_m[ty][tx] = row < j && along < k ? m[row * k + along] : 0.0f;
    tile_n[tx][ty] = n_col < l && along < k ? n[n_col * k + along] : 0.0f;
    __syncthreads();
    for (int i = 0; i < tile_width; ++i) {
      sum += tile_m[ty][i] * tile_n[i][tx];
    }
    __syncthreads();
  }
  //@@ end solution

  // Store the result, if this thread has one.
  //@@ begin solution
  if (row < j && col < l) {
    p[row * l + col] = sum;
  }
  //@@ end solution
}

// Called by the tests. `m`, `n` and `p` are device pointers.
void matrix_multiply(const float* m, const float* n, float* p, int j, int k, int l) {
  // Choose a grid of blocks of tile_width × tile_width threads that covers P, and launch the kernel.
  //@@ begin solution
  const dim3 block(tile_width, tile_width);
  const dim3 grid((l + tile_width - 1) / tile_width, (j + tile_width - 1) / tile_width);
  multiply_tiles<<<grid, block>>>(m, n, p, j, k, l);
  //@@ end solution
}
