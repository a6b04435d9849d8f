// Kernels copy, and the host computes in memory that both may touch.
#include <cuda_runtime.h>

void scale(const float* input, float* output, int rows, int cols);

__global__ void copy(const float* from, float* to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[i];
}

void scale(const float* input, float* output, int rows, int cols) {
  const int n = rows * cols;
  float* both = nullptr;
  cudaMallocManaged(&both, n * sizeof(float));
  copy<<<(n + 127) / 128, 128>>>(input, both, n);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i) both[i] *= 2;  // here
  copy<<<(n + 127) / 128, 128>>>(both, output, n);
  cudaDeviceSynchronize();
  cudaFree(both);
}
