// expect: correct=pass safe=pass fast=0..12
// The product of lab 04: nothing is shared, and neighbouring threads read elements of N that are k floats apart.
// Without the topic: 42 of 100 points.
#include <cuda_runtime.h>

__global__ void multiply(const float* m, const float* n, float* p, int j, int k, int l) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= j || col >= l) return;
  float sum = 0.0f;
  for (int i = 0; i < k; ++i) sum += m[row * k + i] * n[col * k + i];
  p[row * l + col] = sum;
}

void matrix_multiply(const float* m, const float* n, float* p, int j, int k, int l) {
  multiply<<<dim3((l + 15) / 16, (j + 15) / 16), dim3(16, 16)>>>(m, n, p, j, k, l);
}
