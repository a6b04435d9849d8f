// expect: correct=fail safe=fail fast=not_measured
// The kernel gets the host's pointers.
#include <cuda_runtime.h>

__global__ void add(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

cudaError_t vector_add(const float* a, const float* b, float* c, int n) {
  add<<<(n + 255) / 256, 256>>>(a, b, c, n);
  cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) return error;
  return cudaDeviceSynchronize();
}
