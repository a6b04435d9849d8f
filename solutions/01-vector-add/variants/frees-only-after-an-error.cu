// expect: correct=pass safe=fail fast=86..96
// The clean-up is where the errors go; a program that succeeds returns before it.
#include <cuda_runtime.h>

__global__ void add(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

cudaError_t vector_add(const float* a, const float* b, float* c, int n) {
  float *d_a = nullptr, *d_b = nullptr, *d_c = nullptr;
  const size_t size = n * sizeof(float);
  cudaError_t err;
  if ((err = cudaMalloc(&d_a, size)) != cudaSuccess) goto failed;
  if ((err = cudaMalloc(&d_b, size)) != cudaSuccess) goto failed;
  if ((err = cudaMalloc(&d_c, size)) != cudaSuccess) goto failed;
  if ((err = cudaMemcpy(d_a, a, size, cudaMemcpyHostToDevice)) != cudaSuccess) goto failed;
  if ((err = cudaMemcpy(d_b, b, size, cudaMemcpyHostToDevice)) != cudaSuccess) goto failed;
  add<<<(n + 255) / 256, 256>>>(d_a, d_b, d_c, n);
  if ((err = cudaGetLastError()) != cudaSuccess) goto failed;
  if ((err = cudaMemcpy(c, d_c, size, cudaMemcpyDeviceToHost)) != cudaSuccess) goto failed;
  return cudaSuccess;
failed:
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
  return err;
}
