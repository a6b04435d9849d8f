// expect: correct=fail safe=pass fast=not_measured
// Copies without transposing: right for a single row or column.
// As a mutant: copy-of-the-input.
#include <cuda_runtime.h>

__global__ void copy(const float* input, float* output, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) output[i] = input[i];
}

void transpose(const float* input, float* output, int rows, int cols) {
  copy<<<(rows * cols + 255) / 256, 256>>>(input, output, rows * cols);
}
