// lab: 01-vector-add
// expect: pass
// earns: 100..100
// A stream, whose functions are the library's, brings both inputs to managed memory, and the result back to the host's.
#include <cuda_runtime.h>

#include <sstream>
#include <string>

__global__ void add(const float* x, const float* y, float* z, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) z[i] = x[i] + y[i];
}

void bring(float* to, const float* from, int n) {
  std::istringstream text(std::string(reinterpret_cast<const char*>(from), n * sizeof(float)));
  text.read(reinterpret_cast<char*>(to), n * sizeof(float));
}

cudaError_t vector_add(const float* a, const float* b, float* c, int n) {
  float *x = nullptr, *y = nullptr, *z = nullptr;
  cudaError_t error = cudaMallocManaged(&x, n * sizeof(float));
  if (error == cudaSuccess) error = cudaMallocManaged(&y, n * sizeof(float));
  if (error == cudaSuccess) error = cudaMallocManaged(&z, n * sizeof(float));
  if (error == cudaSuccess) {
    bring(x, a, n);
    bring(y, b, n);
    add<<<(n + 255) / 256, 256>>>(x, y, z, n);
    error = cudaGetLastError();
  }
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  if (error == cudaSuccess) bring(c, z, n);
  for (float* p : {x, y, z})
    if (const cudaError_t freed = cudaFree(p); error == cudaSuccess) error = freed;
  return error;
}
