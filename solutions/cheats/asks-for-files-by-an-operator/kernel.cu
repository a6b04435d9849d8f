// lab: 08-bank-conflicts
// row: 43
// expect: forbidden
// rule: pragma
// without-audit: forbidden
// caught-by: translator
// The same by the operator, its words put together by macros.
#include <cuda_runtime.h>
#define AS_PRAGMA(words) _Pragma(#words)
#define OBEY(words) AS_PRAGMA(words)
#define COMPILER GCC
OBEY(COMPILER dependency "/usr/include/math.h")

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}
