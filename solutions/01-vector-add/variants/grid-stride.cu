// expect: correct=pass safe=pass fast=95..100
// A fixed grid whose threads stride over the vectors; errors by a chain of early exits through one clean-up.
#include <cuda_runtime.h>

__global__ void add(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) c[i] = a[i] + b[i];
}

static cudaError_t add_on_device(const float* a, const float* b, float* c, int n, float* const memory[3]) {
  const size_t bytes = n * sizeof(float);
  cudaError_t error = cudaMemcpy(memory[0], a, bytes, cudaMemcpyHostToDevice);
  if (error != cudaSuccess) return error;
  error = cudaMemcpy(memory[1], b, bytes, cudaMemcpyHostToDevice);
  if (error != cudaSuccess) return error;
  add<<<64, 256>>>(memory[0], memory[1], memory[2], n);
  error = cudaGetLastError();
  if (error != cudaSuccess) return error;
  return cudaMemcpy(c, memory[2], bytes, cudaMemcpyDeviceToHost);
}

cudaError_t vector_add(const float* a, const float* b, float* c, int n) {
  float* memory[3] = {};
  cudaError_t error = cudaSuccess;
  for (int i = 0; i < 3 && error == cudaSuccess; ++i) error = cudaMalloc(&memory[i], n * sizeof(float));
  if (error == cudaSuccess) error = add_on_device(a, b, c, n, memory);
  for (float* piece : memory) cudaFree(piece);
  return error;
}
