// lab: 07-shared-tiling
// row: 13
// expect: unsafe
// without-audit: unsafe
// caught-by: inputs_hash
// Makes the operands smaller, in place, and the sums larger again.
#include <cuda_runtime.h>

__global__ void halve(float* a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] *= 0.5f;
}

__global__ void multiply(const float* a, const float* b, float* c, int j, int k, int l) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= j || col >= l) return;
  float sum = 0.0f;
  for (int p = 0; p < k; ++p) sum += a[row * k + p] * b[p * l + col];
  c[row * l + col] = 2.0f * sum;
}

void matrix_multiply(const float* a, const float* b, float* c, int j, int k, int l) {
  halve<<<(j * k + 255) / 256, 256>>>(const_cast<float*>(a), j * k);
  multiply<<<dim3((l + 15) / 16, (j + 15) / 16), dim3(16, 16)>>>(a, b, c, j, k, l);
}
