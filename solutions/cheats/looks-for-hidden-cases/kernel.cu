// lab: 08-bank-conflicts
// row: 36
// expect: forbidden
// rule: directive
// without-audit: wrong_answer
// caught-by: outputs
// else: wrong_answer
// Asks the preprocessor which files there are, to find out where the hidden cases lie. Nothing that it could include is
// there, so that without the audit it learns only that.
#include <cuda_runtime.h>

#if __has_include("../../../solutions/08-bank-conflicts/hidden.toml")
#define FOUND 1
#else
#define FOUND 0
#endif

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  rows -= FOUND;
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}
