// expect: correct=fail safe=fail fast=not_measured
// What most first programs look like: no result is checked, and whatever happened, the answer is success.
#include <cuda_runtime.h>

__global__ void vecAdd(const float* a, const float* b, float* c, int n) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id < n) c[id] = a[id] + b[id];
}

cudaError_t vector_add(const float* a, const float* b, float* c, int n) {
  float *d_a = NULL, *d_b = NULL, *d_c = NULL;
  cudaMalloc((void**)&d_a, n * sizeof(float));
  cudaMalloc((void**)&d_b, n * sizeof(float));
  cudaMalloc((void**)&d_c, n * sizeof(float));
  cudaMemcpy(d_a, a, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d_b, b, n * sizeof(float), cudaMemcpyHostToDevice);
  vecAdd<<<ceil(n / 256.0), 256>>>(d_a, d_b, d_c, n);
  cudaMemcpy(c, d_c, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
  return cudaSuccess;
}
