// lab: 08-bank-conflicts
// expect: pass
// Host code has arrays of variable length in a loop, and a large local array; so has each thread of the kernel.
#include <cuda_runtime.h>

constexpr int width = 32, height = 8;

__global__ void transpose_tile(const float* input, float* output, int rows, int cols) {
  __shared__ float tile[width][width + 1];
  float column[1024];
  const int col = blockIdx.x * width + threadIdx.x, first_row = blockIdx.y * width;
  for (int i = 0; i < width / height; ++i) {
    const int row = first_row + i * height + threadIdx.y;
    column[i * 300] = row < rows && col < cols ? input[row * cols + col] : 0.0f;
  }
  for (int i = 0; i < width / height; ++i) tile[i * height + threadIdx.y][threadIdx.x] = column[i * 300];
  __syncthreads();
  for (int y = threadIdx.y; y < width; y += height) {
    const int output_row = blockIdx.x * width + y, output_col = first_row + threadIdx.x;
    if (output_row < cols && output_col < rows) output[output_row * rows + output_col] = tile[threadIdx.x][y];
  }
}

float sum_of_parts(int elements) {
  float sum = 0.0f;
  for (int length = 1; length < 5; ++length) {
    float parts[length];
    int order[length + 1];
    for (int i = 0; i < length; ++i) {
      parts[i] = static_cast<float>(elements) / static_cast<float>(length);
      order[i + 1] = i;
    }
    for (int i = 0; i < length; ++i) sum += parts[order[i + 1]];
  }
  return sum;
}

int blocks_along(int elements) {
  char marks[100 * 1024];
  int sum = 0;
  for (int i = 0; i < elements; i += width) marks[i / width] = 1;
  for (int i = 0; i < elements; i += width) sum += marks[i / width];
  return sum;
}

void transpose(const float* input, float* output, int rows, int cols) {
  if (sum_of_parts(rows) < static_cast<float>(rows)) return;
  transpose_tile<<<dim3(blocks_along(cols), blocks_along(rows)), dim3(width, height)>>>(input, output, rows, cols);
}
