// lab: 01-vector-add
// expect: pass
// The error macro of many textbooks, with its exit, and a failing call handed on.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)                                                                               \
  do {                                                                                            \
    cudaError_t error = (call);                                                                   \
    if (error == cudaErrorInvalidDevicePointer) {                                                 \
      fprintf(stderr, "%s at %s:%d: %s\n", #call, __FILE__, __LINE__, cudaGetErrorString(error)); \
      exit(EXIT_FAILURE);                                                                         \
    }                                                                                             \
    if (error != cudaSuccess && status == cudaSuccess) status = error;                            \
  } while (0)

__global__ void add(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

cudaError_t vector_add(const float* a, const float* b, float* c, int n) {
  cudaError_t status = cudaSuccess;
  const size_t bytes = n * sizeof(float);
  float *device_a = nullptr, *device_b = nullptr, *device_c = nullptr;
  CHECK(cudaMalloc(&device_a, bytes));
  if (status == cudaSuccess) CHECK(cudaMalloc(&device_b, bytes));
  if (status == cudaSuccess) CHECK(cudaMalloc(&device_c, bytes));
  if (status == cudaSuccess) CHECK(cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice));
  if (status == cudaSuccess) CHECK(cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice));
  if (status == cudaSuccess) {
    add<<<(n + 255) / 256, 256>>>(device_a, device_b, device_c, n);
    CHECK(cudaGetLastError());
  }
  if (status == cudaSuccess) CHECK(cudaMemcpy(c, device_c, bytes, cudaMemcpyDeviceToHost));
  cudaFree(device_a);
  cudaFree(device_b);
  cudaFree(device_c);
  return status;
}
