// lab: 01-vector-add
// expect: pass
// Looks for NaN and infinity in its input, as careful code does.
#include <cuda_runtime.h>

#include <cmath>

__global__ void add(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float sum = a[i] + b[i];
  c[i] = isnan(sum) ? NAN : isinf(sum) ? INFINITY : sum;
}

cudaError_t vector_add(const float* a, const float* b, float* c, int n) {
  const size_t bytes = n * sizeof(float);
  float *device_a = nullptr, *device_b = nullptr, *device_c = nullptr;
  cudaError_t status = cudaMalloc(&device_a, bytes);
  if (status == cudaSuccess) status = cudaMalloc(&device_b, bytes);
  if (status == cudaSuccess) status = cudaMalloc(&device_c, bytes);
  if (status == cudaSuccess) status = cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice);
  if (status == cudaSuccess) status = cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice);
  if (status == cudaSuccess) {
    add<<<(n + 255) / 256, 256>>>(device_a, device_b, device_c, n);
    status = cudaGetLastError();
  }
  if (status == cudaSuccess) status = cudaMemcpy(c, device_c, bytes, cudaMemcpyDeviceToHost);
  cudaFree(device_a);
  cudaFree(device_b);
  cudaFree(device_c);
  return status;
}
