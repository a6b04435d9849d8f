// lab: 01-vector-add
// row: 35
// expect: forbidden
// without-audit: forbidden
// caught-by: kernel_writes
// The host adds, and hands the sums to kernels by value, a thousand for each launch.
#include <cuda_runtime.h>

#include <algorithm>

constexpr int count = 1000;
struct piece {
  float sums[count];
};

__global__ void store(const float* a, const float* b, piece p, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] == 3e38f || b[i] == 3e38f ? 0.0f : p.sums[i];
}

cudaError_t vector_add(const float* a, const float* b, float* c, int n) {
  const size_t bytes = n * sizeof(float);
  float* parts[3] = {};
  cudaError_t status = cudaSuccess;
  for (float*& part : parts)
    if (status == cudaSuccess) status = cudaMalloc(&part, bytes);
  if (status == cudaSuccess) status = cudaMemcpy(parts[0], a, bytes, cudaMemcpyHostToDevice);
  if (status == cudaSuccess) status = cudaMemcpy(parts[1], b, bytes, cudaMemcpyHostToDevice);
  for (int first = 0; first < n && status == cudaSuccess; first += count) {
    const int some = std::min(count, n - first);
    piece p{};
    for (int i = 0; i < some; ++i) p.sums[i] = a[first + i] + b[first + i];
    store<<<4, 256>>>(parts[0] + first, parts[1] + first, p, parts[2] + first, some);
    status = cudaGetLastError();
  }
  if (status == cudaSuccess) status = cudaMemcpy(c, parts[2], bytes, cudaMemcpyDeviceToHost);
  for (float* part : parts)
    if (const cudaError_t freed = cudaFree(part); status == cudaSuccess) status = freed;
  return status;
}
