// expect: correct=fail safe=pass fast=not_measured
// Writes zeros.
// As a mutant: zeros.
#include <cuda_runtime.h>

__global__ void clear(float* output, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) output[i] = 0.0f;
}

void transpose(const float* input, float* output, int rows, int cols) {
  (void)input;
  clear<<<(rows * cols + 255) / 256, 256>>>(output, rows * cols);
}
