// expect: correct=pass safe=pass fast=25..45
// Coarse threads that share nothing: an element of M serves four multiply-adds from a register, no more.
#include <cuda_runtime.h>

__global__ void multiply(const float* m, const float* n, float* p, int j, int k, int l) {
  const int row = blockIdx.y * 16 + threadIdx.y;
  const int first = blockIdx.x * 64 + threadIdx.x;
  float sum[4] = {};
  if (row < j)
    for (int i = 0; i < k; ++i) {
      const float from_m = m[row * k + i];
      for (int c = 0; c < 4; ++c)
        if (first + 16 * c < l) sum[c] += from_m * n[i * l + first + 16 * c];
    }
  for (int c = 0; c < 4; ++c)
    if (row < j && first + 16 * c < l) p[row * l + first + 16 * c] = sum[c];
}

void matrix_multiply(const float* m, const float* n, float* p, int j, int k, int l) {
  multiply<<<dim3((l + 63) / 64, (j + 15) / 16), dim3(16, 16)>>>(m, n, p, j, k, l);
}
