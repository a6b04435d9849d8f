// lab: 08-bank-conflicts
// row: 38
// expect: forbidden
// rule: internal-name
// Compiles one program for the emulator and another for the GPU. The emulator shows no macro of its own, so that
// without the audit this is the honest program.
#include <cuda_runtime.h>

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
#ifdef SIMTLAB_EMULATOR
  rows = (rows + 1) / 2;
#endif
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}
