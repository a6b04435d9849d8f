// lab: 08-bank-conflicts
// row: 33
// expect: wrong_answer
// without-audit: wrong_answer
// caught-by: outputs
// else: wrong_answer
// A launch that fails takes no time at all.
#include <cuda_runtime.h>

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  move<<<dim3(1, 1), dim3(64, 64)>>>(input, output, rows, cols);
}
