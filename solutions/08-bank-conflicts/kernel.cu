// Lab 08: transpose a matrix through shared memory.
//
// `input` has rows × cols floats, row after row; `output` has cols × rows. Element (r, c) of the input becomes
// element (c, r) of the output. Both pointers are device memory; the sizes are any positive numbers.
#include <cuda_runtime.h>

// One block moves one square tile of the matrix.
constexpr int tile_width = 32;

// A block is tile_width threads wide. Give its height a name, too: with fewer than tile_width, each thread moves several
// elements of the tile.
//@@ begin solution
constexpr int block_rows = 8;
//@@ end solution

__global__ void transpose_tile(const float* input, float* output, int rows, int cols) {
  // Declare the tile in shared memory. How long should one row of it be?
  //@@ begin solution
  __shared__ float tile[tile_width][tile_width + 1];
  //@@ end solution

  // Step 1: read a tile of `input`, row by row, into shared memory. Mind the edges of the matrix.
  //@@ begin solution
  const int input_col = blockIdx.x * tile_width + threadIdx.x;
  for (int y = threadIdx.y; y < tile_width; y += block_rows) {
    const int input_row = blockIdx.y * tile_width + y;
    if (input_row < rows && input_col < cols) {
      tile[y][threadIdx.x] = input[input_row * cols + input_col];
    }
  }
  //@@ end solution

  // Step 2: no thread may go on before the whole tile is there.
  //@@ begin solution
  __syncthreads();
  //@@ end solution

  // Step 3: write the tile to its place in `output`, again row by row: now neighbouring threads read a column of the tile.
  //@@ begin solution
  const int output_col = blockIdx.y * tile_width + threadIdx.x;
  for (int y = threadIdx.y; y < tile_width; y += block_rows) {
    const int output_row = blockIdx.x * tile_width + y;
    if (output_row < cols && output_col < rows) {
      output[output_row * rows + output_col] = tile[threadIdx.x][y];
    }
  }
  //@@ end solution
}

// Called by the tests. `input` and `output` are device pointers.
void transpose(const float* input, float* output, int rows, int cols) {
  // Choose a block and a grid that covers the whole matrix, and launch the kernel.
  //@@ begin solution
  const dim3 block(tile_width, block_rows);
  const dim3 grid((cols + tile_width - 1) / tile_width, (rows + tile_width - 1) / tile_width);
  transpose_tile<<<grid, block>>>(input, output, rows, cols);
  //@@ end solution
}
