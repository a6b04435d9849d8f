// expect: correct=pass safe=pass fast=72..84
// Each thread adds two neighbours, one after the other: every sector is fetched twice.
#include <cuda_runtime.h>

__global__ void add(const float* a, const float* b, float* c, int n) {
  int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) c[i] = a[i] + b[i];
  if (i + 1 < n) c[i + 1] = a[i + 1] + b[i + 1];
}

cudaError_t vector_add(const float* a, const float* b, float* c, int n) {
  float *d_a = nullptr, *d_b = nullptr, *d_c = nullptr;
  const size_t size = n * sizeof(float);
  cudaError_t err;
  if ((err = cudaMalloc(&d_a, size)) != cudaSuccess) goto done;
  if ((err = cudaMalloc(&d_b, size)) != cudaSuccess) goto done;
  if ((err = cudaMalloc(&d_c, size)) != cudaSuccess) goto done;
  if ((err = cudaMemcpy(d_a, a, size, cudaMemcpyHostToDevice)) != cudaSuccess) goto done;
  if ((err = cudaMemcpy(d_b, b, size, cudaMemcpyHostToDevice)) != cudaSuccess) goto done;
  add<<<(n / 2 + 256) / 256, 256>>>(d_a, d_b, d_c, n);
  if ((err = cudaGetLastError()) != cudaSuccess) goto done;
  err = cudaMemcpy(c, d_c, size, cudaMemcpyDeviceToHost);
done:
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
  return err;
}
