// expect: correct=pass safe=pass fast=15..35
// The first attempt: one thread an element, neighbouring threads write addresses `rows` floats apart.
// Without the topic: 55 of 100 points.
#include <cuda_runtime.h>

__global__ void transpose_naive(const float* input, float* output, int rows, int cols) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  const int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < rows && c < cols) output[c * rows + r] = input[r * cols + c];
}

void transpose(const float* input, float* output, int rows, int cols) {
  const dim3 block(32, 8);
  const dim3 grid((cols + 31) / 32, (rows + 7) / 8);
  transpose_naive<<<grid, block>>>(input, output, rows, cols);
}
