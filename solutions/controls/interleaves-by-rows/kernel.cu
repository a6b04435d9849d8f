// lab: 01-vector-add
// expect: pass
// Two copies of rows of one number each interleave the inputs on the device.
#include <cuda_runtime.h>

__global__ void add(const float2* pairs, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = pairs[i].x + pairs[i].y;
}

cudaError_t vector_add(const float* a, const float* b, float* c, int n) {
  constexpr size_t one = sizeof(float), two = sizeof(float2);
  float2* pairs = nullptr;
  float* sums = nullptr;
  cudaError_t status = cudaMalloc(&pairs, n * two);
  if (status == cudaSuccess) status = cudaMalloc(&sums, n * one);
  float* const first = reinterpret_cast<float*>(pairs);
  if (status == cudaSuccess) status = cudaMemcpy2D(first, two, a, one, one, n, cudaMemcpyHostToDevice);
  if (status == cudaSuccess) status = cudaMemcpy2D(first + 1, two, b, one, one, n, cudaMemcpyHostToDevice);
  if (status == cudaSuccess) {
    add<<<(n + 255) / 256, 256>>>(pairs, sums, n);
    status = cudaGetLastError();
  }
  if (status == cudaSuccess) status = cudaMemcpy(c, sums, n * one, cudaMemcpyDeviceToHost);
  if (const cudaError_t freed = cudaFree(pairs); status == cudaSuccess) status = freed;
  if (const cudaError_t freed = cudaFree(sums); status == cudaSuccess) status = freed;
  return status;
}
