// lab: 08-bank-conflicts
// row: 44
// expect: crash
// without-audit: crash
// caught-by: local_memory
// As reads-its-neighbours-locals, but each lane stores what it has read where another lane wants it; the addresses go through
// shared memory, which the tile then does not need.
#include <cuda_runtime.h>

__global__ void transpose_tile(const float* input, float* output, int rows, int cols) {
  __shared__ float* row_of_lane[32];
  const int lane = threadIdx.x, first_col = blockIdx.x * 32, first_row = blockIdx.y * 32;
  float own[32];
  row_of_lane[lane] = own;
  __syncwarp();
  for (int y = 0; y < 32; ++y)
    if (first_row + y < rows && first_col + lane < cols)
      row_of_lane[y][lane] = input[(first_row + y) * cols + first_col + lane];
  __syncwarp();
  for (int x = 0; x < 32; ++x)
    if (first_col + x < cols && first_row + lane < rows)
      output[(first_col + x) * rows + first_row + lane] = row_of_lane[lane][x];
}

void transpose(const float* input, float* output, int rows, int cols) {
  transpose_tile<<<dim3((cols + 31) / 32, (rows + 31) / 32), 32>>>(input, output, rows, cols);
}
