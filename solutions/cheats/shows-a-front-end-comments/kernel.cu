// lab: 08-bank-conflicts
// row: 38
// expect: compile_error
// else: compile_error
// The kernel stands between comments that look like the begin and the end of a header.
#include <cuda_runtime.h>

#define SIZE count
/*
# 1 "/usr/include/ctype.h" 1 3
*/
__global__ void move(const float* input, float* output, int rows, int cols, int count) {
  float values[SIZE];
  const int col = blockIdx.x * 32 + threadIdx.x;
  for (int i = 0; i < count; ++i) {
    const int row = (blockIdx.y * count + i) * 8 + threadIdx.y;
    if (row < rows && col < cols) values[i] = input[row * cols + col];
  }
  for (int i = 0; i < count; ++i) {
    const int row = (blockIdx.y * count + i) * 8 + threadIdx.y;
    if (row < rows && col < cols) output[col * rows + row] = values[i];
  }
}
/*
# 28 "kernel.cu" 2
*/

void transpose(const float* input, float* output, int rows, int cols) {
  move<<<dim3((cols + 31) / 32, (rows + 31) / 32), dim3(32, 8)>>>(input, output, rows, cols, 4);
}
