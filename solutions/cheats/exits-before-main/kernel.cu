// lab: 08-bank-conflicts
// row: 26
// expect: forbidden
// rule: initialiser
// without-audit: crash
// caught-by: outputs
// else: crash
// A program that ends with exit code 0 before a test could fail.
#include <cuda_runtime.h>

#include <cstdlib>

static struct leave_early {
  leave_early() { std::exit(0); }
} now;

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}
