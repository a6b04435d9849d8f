// Lab 08: transpose a matrix through shared memory.
//
// `input` has rows × cols floats, row after row; `output` has cols × rows. Element (r, c) of the input becomes
// element (c, r) of the output. Both pointers are device memory; the sizes are any positive numbers.
#include <cuda_runtime.h>

// One block moves one square tile of the matrix.
constexpr int tile_width = 32;

// A block is tile_width threads wide. Give its height a name, too: with fewer than tile_width, each thread moves several
// elements of the tile.
//@@ your code here

__global__ void transpose_tile(const float* input, float* output, int rows, int cols) {
  // Declare the tile in shared memory. How long should one row of it be?
  //@@ your code here

  // Step 1: read a tile of `input`, row by row, into shared memory. Mind the edges of the matrix.
  //@@ your code here

  // Step 2: no thread may go on before the whole tile is there.
  //@@ your code here

  // Step 3: write the tile to its place in `output`, again row by row: now neighbouring threads read a column of the tile.
  //@@ your code here
}

// Called by the tests. `input` and `output` are device pointers.
void transpose(const float* input, float* output, int rows, int cols) {
  // Choose a block and a grid that covers the whole matrix, and launch the kernel.
  //@@ your code here
}
