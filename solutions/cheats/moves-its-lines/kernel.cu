// lab: 08-bank-conflicts
// row: 37
// expect: forbidden
// rule: directive
// without-audit: forbidden
// caught-by: translator
// Says of its own lines that they belong to another file, where nobody looks for findings.
#include <cuda_runtime.h>

#line 1 "/usr/include/string.h"
__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}
