// The only launch fails, and nobody asks.
#include <cuda_runtime.h>

void scale(const float* input, float* output, int rows, int cols);

__global__ void multiply(const float* input, float* output, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) output[i] = 2 * input[i];
}

void scale(const float* input, float* output, int rows, int cols) {
  const int n = rows * cols;
  multiply<<<(n + 2047) / 2048, 2048>>>(input, output, n);  // here
}
