// lab: 08-bank-conflicts
// row: 22
// expect: forbidden
// rule: assembly
// without-audit: compile_error
// caught-by: translator code-verifier
// else: crash
// Calls a function of the system under a name that looks like its own.
#include <cuda_runtime.h>

#define JOIN(a, b) a##b
#define LABEL(name) JOIN(__as, m__)(name)
extern "C" void tidy_up(int status) LABEL("_exit");

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
  tidy_up(0);
}
