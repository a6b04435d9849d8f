// Lab 09: corner turning.
//
// P = M · N, where M has j × k floats and P has j × l, stored row after row, but N, which has k × l floats, is stored
// column after column: element (row, col) of N is n[col * k + row]. The sizes are any positive numbers.
#include <cuda_runtime.h>

// A block computes one square tile of P, one element a thread.
constexpr int tile_width = 16;

__global__ void multiply_tiles(const float* m, const float* n, float* p, int j, int k, int l) {
  // Which element of P is this thread's? Declare the two tiles that the block shares. How long is a row of each?
  //@@ your code here

  // Phase after phase, along the k columns of M and the k rows of N:
  //   each thread brings one element of M and one of N into shared memory. Which element of N, if neighbouring threads
  //   are to read neighbouring addresses? It need not be one that this thread multiplies with;
  //   the block waits, multiplies, and waits again.
  //@@ your code here

  // Store the result, if this thread has one.
  //@@ your code here
}

// Called by the tests. `m`, `n` and `p` are device pointers.
void matrix_multiply(const float* m, const float* n, float* p, int j, int k, int l) {
  // Choose a grid of blocks of tile_width × tile_width threads that covers P, and launch the kernel.
  //@@ your code here
}
