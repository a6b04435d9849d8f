// Lab 07: the tiled matrix product.
//
// C = A · B, where A has j × k floats, B has k × l and C has j × l, all stored row after row in device memory.
// The sizes are any positive numbers; nothing promises that a tile divides them.
#include <cuda_runtime.h>

// A block computes one square tile of C, one element a thread.
constexpr int tile_width = 16;

__global__ void multiply_tiles(const float* a, const float* b, float* c, int j, int k, int l) {
  // Which element of C is this thread's? Declare the two tiles that the block shares.
  //@@ your code here

  // Phase after phase, along the k columns of A and the k rows of B:
  //   each thread brings one element of A and one of B into shared memory (what belongs outside the matrix?),
  //   the block waits until both tiles are complete,
  //   each thread multiplies its row of one tile with its column of the other,
  //   and the block waits again: for what?
  //@@ your code here

  // Store the result, if this thread has one.
  //@@ your code here
}

// Called by the tests. `a`, `b` and `c` are device pointers.
void matrix_multiply(const float* a, const float* b, float* c, int j, int k, int l) {
  // Choose a grid of blocks of tile_width × tile_width threads that covers C, and launch the kernel.
  //@@ your code here
}
