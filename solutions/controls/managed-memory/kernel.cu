// lab: 01-vector-add
// expect: pass
// earns: 100..100
// Managed memory: the host fills and reads it, and no copy is written out.
#include <cuda_runtime.h>

#include <cstring>

__global__ void add(const float* x, const float* y, float* z, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) z[i] = x[i] + y[i];
}

cudaError_t vector_add(const float* a, const float* b, float* c, int n) {
  float *x = nullptr, *y = nullptr, *z = nullptr;
  cudaError_t error = cudaMallocManaged(&x, n * sizeof(float));
  if (error == cudaSuccess) error = cudaMallocManaged(&y, n * sizeof(float));
  if (error == cudaSuccess) error = cudaMallocManaged(&z, n * sizeof(float));
  if (error == cudaSuccess) {
    for (int i = 0; i < n; ++i) {
      x[i] = a[i];
      y[i] = b[i];
    }
    add<<<(n + 255) / 256, 256>>>(x, y, z, n);
    error = cudaGetLastError();
  }
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  if (error == cudaSuccess) std::memcpy(c, z, n * sizeof(float));
  for (float* p : {x, y, z})
    if (const cudaError_t freed = cudaFree(p); error == cudaSuccess) error = freed;
  return error;
}
