// lab: 08-bank-conflicts
// row: 26
// expect: forbidden
// rule: initialiser
// without-audit: crash
// caught-by: outputs
// else: crash
// The same through the linker: no object, but a function that the loader calls.
#include <cuda_runtime.h>

#include <cstdlib>

__attribute__((constructor)) static void leave_early() { exit(0); }

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}
