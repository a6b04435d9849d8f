// expect: correct=pass safe=fail fast=95..100
// The last block runs over the ends of the vectors.
// As a mutant: bound-dropped.
#include <cuda_runtime.h>

__global__ void add(const float* a, const float* b, float* c, int n) {
  int i = threadIdx.x + blockDim.x * blockIdx.x;
  c[i] = a[i] + b[i];
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
  add<<<(n + 255) / 256, 256>>>(d_a, d_b, d_c, n);
  if ((err = cudaGetLastError()) != cudaSuccess) goto done;
  err = cudaMemcpy(c, d_c, size, cudaMemcpyDeviceToHost);
done:
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
  return err;
}
