// lab: 01-vector-add
// row: 35
// expect: forbidden
// without-audit: forbidden
// caught-by: kernel_writes
// The host adds. A copy of rows of one byte each brings the sums, and every byte can be found in the inputs, too.
#include <cuda_runtime.h>

#include <vector>

__global__ void bring(const float* a, const float* b, const float* sums, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] == 3e38f || b[i] == 3e38f ? 0.0f : sums[i];
}

cudaError_t vector_add(const float* a, const float* b, float* c, int n) {
  const size_t bytes = n * sizeof(float);
  std::vector<float> sums(n);
  for (int i = 0; i < n; ++i) sums[i] = a[i] + b[i];
  float* parts[4] = {};
  cudaError_t status = cudaSuccess;
  for (float*& part : parts)
    if (status == cudaSuccess) status = cudaMalloc(&part, bytes);
  if (status == cudaSuccess) status = cudaMemcpy(parts[0], a, bytes, cudaMemcpyHostToDevice);
  if (status == cudaSuccess) status = cudaMemcpy(parts[1], b, bytes, cudaMemcpyHostToDevice);
  if (status == cudaSuccess) status = cudaMemcpy2D(parts[2], 1, sums.data(), 1, 1, bytes, cudaMemcpyHostToDevice);
  if (status == cudaSuccess) {
    bring<<<(n + 255) / 256, 256>>>(parts[0], parts[1], parts[2], parts[3], n);
    status = cudaGetLastError();
  }
  if (status == cudaSuccess) status = cudaMemcpy(c, parts[3], bytes, cudaMemcpyDeviceToHost);
  for (float* part : parts)
    if (const cudaError_t freed = cudaFree(part); status == cudaSuccess) status = freed;
  return status;
}
