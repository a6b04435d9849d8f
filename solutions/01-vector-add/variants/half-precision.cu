// expect: correct=fail safe=pass fast=not_measured
// The addition happens in 16 bits.
// As a mutant: half-precision.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

__global__ void add(const float* a, const float* b, float* c, int n) {
  int i = threadIdx.x + blockDim.x * blockIdx.x;
  if (i < n) c[i] = __half2float(__hadd(__float2half(a[i]), __float2half(b[i])));
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
