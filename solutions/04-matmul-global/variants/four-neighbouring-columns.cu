// expect: correct=pass safe=pass fast=45..60
// Four neighbouring columns of P a thread: an element of M serves four, but the lanes that read N are 16 bytes apart.
#include <cuda_runtime.h>

__device__ int place(int row, int width, int col) {
  int at = 0;
  at = row * width + col;
  return at;
}

__global__ void multiply(const float* m, const float* n, float* p, int j, int k, int l) {
  const int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  const int row = blockIdx.y * blockDim.y + threadIdx.y;

  float sum[4] = {};
  if (row >= j) return;
  for (int i = 0; i < k; ++i) {
    const float from_m = m[place(row, k, i)];
    for (int c = 0; c < 4; ++c) {
      if (first + c < l) sum[c] += from_m * n[place(i, l, first + c)];
    }
  }
  for (int c = 0; c < 4; ++c) {
    if (first + c < l) p[place(row, l, first + c)] = sum[c];
  }
}

void matrix_multiply(const float* m, const float* n, float* p, int j, int k, int l) {
  const dim3 block(16, 16);
  const dim3 grid((l + 4 * block.x - 1) / (4 * block.x), (j + block.y - 1) / block.y);
  multiply<<<grid, block>>>(m, n, p, j, k, l);
}
