// lab: 08-bank-conflicts
// row: 13
// expect: unsafe
// without-audit: unsafe
// caught-by: inputs_hash
// Uses the input as scratch memory: what comes after it in a program would read zeros.
#include <cuda_runtime.h>

__global__ void move(float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows || col >= cols) return;
  output[col * rows + row] = input[row * cols + col];
  input[row * cols + col] = 0.0f;
}

void transpose(const float* input, float* output, int rows, int cols) {
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(const_cast<float*>(input), output, rows, cols);
}
