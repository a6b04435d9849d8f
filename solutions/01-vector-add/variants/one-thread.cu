// expect: correct=pass safe=pass fast=10..19
// A loop of the host moved to the device: one lane of one warp does all the work.
// Without the topic: 66 of 100 points.
#include <cuda_runtime.h>

__global__ void add(const float* a, const float* b, float* c, int n) {
  for (int i = 0; i < n; ++i) c[i] = a[i] + b[i];
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
  add<<<1, 1>>>(d_a, d_b, d_c, n);
  if ((err = cudaGetLastError()) != cudaSuccess) goto done;
  err = cudaMemcpy(c, d_c, size, cudaMemcpyDeviceToHost);
done:
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
  return err;
}
