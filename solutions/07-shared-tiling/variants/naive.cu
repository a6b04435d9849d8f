// expect: correct=pass safe=pass fast=15..25
// The plain product: every multiply-add fetches both its operands from global memory, 8 bytes.
// Without the topic: 68 of 100 points.
#include <cuda_runtime.h>

__global__ void multiply(const float* a, const float* b, float* c, int j, int k, int l) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < j && col < l) {
    float sum = 0;
    for (int p = 0; p < k; ++p) sum += a[row * k + p] * b[p * l + col];
    c[row * l + col] = sum;
  }
}

void matrix_multiply(const float* a, const float* b, float* c, int j, int k, int l) {
  dim3 block(16, 16);
  dim3 grid((l + 15) / 16, (j + 15) / 16);
  multiply<<<grid, block>>>(a, b, c, j, k, l);
}
