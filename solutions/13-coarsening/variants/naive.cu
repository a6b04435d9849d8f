// expect: correct=pass safe=pass fast=0..9
// The plain product, nothing shared: one thread, one element of P.
// Without the topic: 44 of 100 points.
#include <cuda_runtime.h>

__global__ void multiply(const float* m, const float* n, float* p, int j, int k, int l) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < j && col < l) {
    float sum = 0;
    for (int i = 0; i < k; ++i) sum += m[row * k + i] * n[i * l + col];
    p[row * l + col] = sum;
  }
}

void matrix_multiply(const float* m, const float* n, float* p, int j, int k, int l) {
  multiply<<<dim3((l + 15) / 16, (j + 15) / 16), dim3(16, 16)>>>(m, n, p, j, k, l);
}
