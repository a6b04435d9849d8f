// Lab 07: the tiled matrix product.
//
// C = A · B, where A has j × k floats, B has k × l and C has j × l, all stored row after row in device memory.
// The sizes are any positive numbers; nothing promises that a tile divides them.
#include <cuda_runtime.h>

// A block computes one square tile of C, one element a thread.
constexpr int tile_width = 16;

__global__ void multiply_tiles(const float* a, const float* b, float* c, int j, int k, int l) {
  // Which element of C is this thread's? Declare the two tiles that the block shares.
  //@@ begin solution
  __shared__ float tile_a[tile_width][tile_width];
  __shared__ float tile_b[tile_width][tile_width];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * tile_width + ty;
  const int col = blockIdx.x * tile_width + tx;
  float sum = 0.0f;
  //@@ end solution

  // Phase after phase, along the k columns of A and the k rows of B:
  //   each thread brings one element of A and one of B into shared memory (what belongs outside the matrix?),
  //   the block waits until both tiles are complete,
  //   each thread multiplies its row of one tile with its column of the other,
  //   and the block waits again: for what?
  //@@ begin solution
  const int phases = (k + tile_width - 1) / tile_width;
  for (int phase = 0; phase < phases; ++phase) {
    const int a_col = phase * tile_width + tx;
    const int b_row = phase * tile_width + ty;
    tile_a[ty][tx] = row < j && a_col < k ? a[row * k + a_col] : 0.0f;
    tile_b[ty][tx] = b_row < k && col < l ? b[b_row * l + col] : 0.0f;
    __syncthreads();
    for (int p = 0; p < tile_width; ++p) {
      sum += tile_a[ty][p] * tile_b[p][tx];
    }
    __syncthreads();
  }
  //@@ end solution

  // Store the result, if this thread has one.
  //@@ begin solution
  if (row < j && col < l) {
    c[row * l + col] = sum;
  }
  //@@ end solution
}

// Called by the tests. `a`, `b` and `c` are device pointers.
void matrix_multiply(const float* a, const float* b, float* c, int j, int k, int l) {
  // Choose a grid of blocks of tile_width × tile_width threads that covers C, and launch the kernel.
  //@@ begin solution
  const dim3 block(tile_width, tile_width);
  const dim3 grid((l + tile_width - 1) / tile_width, (j + tile_width - 1) / tile_width);
  multiply_tiles<<<grid, block>>>(a, b, c, j, k, l);
  //@@ end solution
}
