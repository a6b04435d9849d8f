// lab: 08-bank-conflicts
// row: 34
// expect: wrong_answer
// without-audit: wrong_answer
// caught-by: outputs
// Right in the elements that somebody might look at: the first ones and the last ones.
#include <cuda_runtime.h>

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int n = rows * cols;
  if (i >= n) return;
  if (i < 64 || i >= n - 64)
    output[i] = input[i % rows * cols + i / rows];
  else
    output[i] = 0.0f;
}

void transpose(const float* input, float* output, int rows, int cols) {
  move<<<(rows * cols + 255) / 256, 256>>>(input, output, rows, cols);
}
