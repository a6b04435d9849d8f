// lab: 07-shared-tiling
// row: 10
// expect: wrong_answer
// without-audit: wrong_answer
// caught-by: rounds
// Does its work in the first call; every later one returns at once, and would be very fast.
#include <cuda_runtime.h>

__global__ void multiply(const float* a, const float* b, float* c, int j, int k, int l) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= j || col >= l) return;
  float sum = 0.0f;
  for (int p = 0; p < k; ++p) sum += a[row * k + p] * b[p * l + col];
  c[row * l + col] = sum;
}

void matrix_multiply(const float* a, const float* b, float* c, int j, int k, int l) {
  static bool done = false;
  if (done) return;
  done = true;
  multiply<<<dim3((l + 15) / 16, (j + 15) / 16), dim3(16, 16)>>>(a, b, c, j, k, l);
}
