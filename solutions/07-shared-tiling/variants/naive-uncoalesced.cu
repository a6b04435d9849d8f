// expect: correct=pass safe=pass fast=10..19
// The naive product with x along the rows: neighbouring lanes read and write a whole row apart.
// Without the topic: 66 of 100 points.
#include <cuda_runtime.h>

__global__ void multiply(const float* a, const float* b, float* c, int j, int k, int l) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int col = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= j || col >= l) return;
  float sum = 0.0f;
  for (int p = 0; p < k; ++p) sum += a[row * k + p] * b[p * l + col];
  c[row * l + col] = sum;
}

void matrix_multiply(const float* a, const float* b, float* c, int j, int k, int l) {
  multiply<<<dim3((j + 31) / 32, (l + 7) / 8), dim3(32, 8)>>>(a, b, c, j, k, l);
}
