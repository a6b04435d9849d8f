// lab: 07-shared-tiling
// row: 41
// expect: pass
// without-audit: pass
// caught-by: whole_work
// earns: 0..22
// else-earns: 90..100
// Copies both operands, multiplies the copies without tiles, and looks at each argument once for the criteria.
#include <cuda_runtime.h>

__global__ void look_at(const float* a, const float* b, float* seen) {
  seen[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}

__global__ void multiply(const float* x, const float* y, float* c, int j, int k, int l) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= j || col >= l) return;
  float sum = 0;
  for (int p = 0; p < k; ++p) sum += x[row * k + p] * y[p * l + col];
  c[row * l + col] = sum;
}

void matrix_multiply(const float* a, const float* b, float* c, int j, int k, int l) {
  float *x, *y, *seen;
  cudaMalloc(&x, j * k * sizeof(float));
  cudaMalloc(&y, k * l * sizeof(float));
  cudaMalloc(&seen, 32 * sizeof(float));
  cudaMemcpy(x, a, j * k * sizeof(float), cudaMemcpyDeviceToDevice);
  cudaMemcpy(y, b, k * l * sizeof(float), cudaMemcpyDeviceToDevice);
  if (j * k >= 32 && k * l >= 32) look_at<<<1, 32>>>(a, b, seen);
  multiply<<<dim3((l + 15) / 16, (j + 15) / 16), dim3(16, 16)>>>(x, y, c, j, k, l);
  cudaFree(x);
  cudaFree(y);
  cudaFree(seen);
}
