// lab: 08-bank-conflicts
// row: 37
// expect: forbidden
// rule: attribute
// without-audit: crash
// caught-by: outputs
// else: crash
// Puts a function where the linker keeps the tests' own.
#include <cuda_runtime.h>

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}
__attribute__((section("simtlab_symbols"), used)) static void aside() {}

void transpose(const float* input, float* output, int rows, int cols) {
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}
