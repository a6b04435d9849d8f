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
  //@@ your code here

  // Phase after phase, along the k columns of M and the k rows of N: which tile is loaded once in a phase, which
  // coarse_factor times? What has to be waited for, and when?
  //@@ your code here

  // Store the results that this thread has. Not all of its columns need to exist.
  //@@ your code here
}

// Called by the tests. `m`, `n` and `p` are device pointers.
void matrix_multiply(const float* m, const float* n, float* p, int j, int k, int l) {
  // Choose a grid that covers P, and launch the kernel. How many columns of P does a block cover?
  //@@ your code here
}
