// expect: correct=pass safe=pass fast=0..15
// One thread does everything.
// Without the topic: 55 of 100 points.
#include <cuda_runtime.h>

__device__ int place(int row, int width, int col) {
  int at = 0;
  at = row * width + col;
  return at;
}

__global__ void multiply(const float* m, const float* n, float* p, int j, int k, int l) {
  for (int row = 0; row < j; ++row) {
    for (int col = 0; col < l; ++col) {
      float sum = 0.0f;
      for (int i = 0; i < k; ++i) {
        sum += m[place(row, k, i)] * n[place(i, l, col)];
      }
      p[place(row, l, col)] = sum;
    }
  }
}

void matrix_multiply(const float* m, const float* n, float* p, int j, int k, int l) {
  multiply<<<1, 1>>>(m, n, p, j, k, l);
}
