// lab: 08-bank-conflicts
// row: 40
// expect: forbidden
// rule: builtin
// caught-by: audit code-verifier
// Asks the host's cache for every element in turn, by a builtin that belongs to every processor.
#include <cuda_runtime.h>

__global__ void transpose_elements(const float* input, float* output, int rows, int cols) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  __builtin_prefetch(input + y * cols + x);
  if (x < cols && y < rows) output[x * rows + y] = input[y * cols + x];
}

void transpose(const float* input, float* output, int rows, int cols) {
  transpose_elements<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}
