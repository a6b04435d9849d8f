// expect: correct=pass safe=pass fast=4..12
// A thread for each element of C, and both operands of every multiply-add from global memory.
// Without the topic: 44 of 100 points.
#include <cuda_runtime.h>

__global__ void multiply(const float* a, const float* b, float* c, int j, int k, int l) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= j || col >= l) return;
  float sum = 0.0f;
  for (int i = 0; i < k; ++i) sum += a[static_cast<size_t>(row) * k + i] * b[static_cast<size_t>(i) * l + col];
  c[static_cast<size_t>(row) * l + col] = sum;
}

void gemm(const float* a, const float* b, float* c, int j, int k, int l) {
  const dim3 block(32, 8);
  multiply<<<dim3((l + 31) / 32, (j + 7) / 8), block>>>(a, b, c, j, k, l);
}
