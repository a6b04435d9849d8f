// lab: 08-bank-conflicts
// expect: pass
// Every thread leaves the address of its own array in shared memory and follows it again: what it finds there is its own.
#include <cuda_runtime.h>

constexpr int width = 32, height = 8;

__global__ void transpose_tile(const float* input, float* output, int rows, int cols) {
  __shared__ float tile[width][width + 1];
  __shared__ float* column_of[height][width];
  float own[width / height] = {};
  column_of[threadIdx.y][threadIdx.x] = own;
  __syncthreads();
  float* const column = column_of[threadIdx.y][threadIdx.x];
  const int col = blockIdx.x * width + threadIdx.x, first_row = blockIdx.y * width;
  for (int i = 0; i < width / height; ++i) {
    const int row = first_row + i * height + threadIdx.y;
    if (row < rows && col < cols) column[i] = input[row * cols + col];
  }
  for (int i = 0; i < width / height; ++i) tile[i * height + threadIdx.y][threadIdx.x] = column[i];
  __syncthreads();
  for (int y = threadIdx.y; y < width; y += height) {
    const int output_row = blockIdx.x * width + y, output_col = first_row + threadIdx.x;
    if (output_row < cols && output_col < rows) output[output_row * rows + output_col] = tile[threadIdx.x][y];
  }
}

void transpose(const float* input, float* output, int rows, int cols) {
  transpose_tile<<<dim3((cols + width - 1) / width, (rows + width - 1) / width), dim3(width, height)>>>(input, output,
                                                                                                        rows, cols);
}
