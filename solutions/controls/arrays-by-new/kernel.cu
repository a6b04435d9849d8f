// lab: 07-shared-tiling
// expect: pass
// earns: 10..25
// Kernels allocate the operands' copies, whose sizes are known when they run, and give them back.
#include <cuda_runtime.h>

__device__ float *copy_of_a, *copy_of_b;

__global__ void allocate(int jk, int kl) {
  copy_of_a = new float[jk];
  copy_of_b = new float[kl];
}

__global__ void bring(const float* a, const float* b, int jk, int kl) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < jk) copy_of_a[i] = a[i];
  if (i < kl) copy_of_b[i] = b[i];
}

__global__ void multiply(float* c, int j, int k, int l) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= j || col >= l) return;
  float sum = 0;
  for (int p = 0; p < k; ++p) sum += copy_of_a[row * k + p] * copy_of_b[p * l + col];
  c[row * l + col] = sum;
}

__global__ void release() {
  delete[] copy_of_a;
  delete[] copy_of_b;
}

void matrix_multiply(const float* a, const float* b, float* c, int j, int k, int l) {
  const int most = j > l ? j * k : k * l;
  allocate<<<1, 1>>>(j * k, k * l);
  bring<<<(most + 255) / 256, 256>>>(a, b, j * k, k * l);
  multiply<<<dim3((l + 15) / 16, (j + 15) / 16), dim3(16, 16)>>>(c, j, k, l);
  release<<<1, 1>>>();
}
