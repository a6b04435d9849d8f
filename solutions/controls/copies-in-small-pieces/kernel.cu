// lab: 01-vector-add
// expect: pass
// Host code turns both inputs around, and the copies to the device go in pieces of 32 bytes.
#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

__global__ void add_backwards(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[n - 1 - i] = a[i] + b[i];
}

constexpr int piece = 8;

cudaError_t bring(float* to, const float* from, int n) {
  const std::vector<float> turned(std::make_reverse_iterator(from + n), std::make_reverse_iterator(from));
  cudaError_t status = cudaSuccess;
  const int rows = n / piece, rest = n % piece;
  constexpr size_t row = piece * sizeof(float);
  if (rows > 0) status = cudaMemcpy2D(to, row, turned.data(), row, row, rows, cudaMemcpyHostToDevice);
  if (status == cudaSuccess && rest > 0)
    status = cudaMemcpy(to + rows * piece, turned.data() + rows * piece, rest * sizeof(float), cudaMemcpyHostToDevice);
  return status;
}

cudaError_t vector_add(const float* a, const float* b, float* c, int n) {
  const size_t bytes = n * sizeof(float);
  float* parts[3] = {};
  cudaError_t status = cudaSuccess;
  for (float*& part : parts)
    if (status == cudaSuccess) status = cudaMalloc(&part, bytes);
  if (status == cudaSuccess) status = bring(parts[0], a, n);
  if (status == cudaSuccess) status = bring(parts[1], b, n);
  if (status == cudaSuccess) {
    add_backwards<<<(n + 255) / 256, 256>>>(parts[0], parts[1], parts[2], n);
    status = cudaGetLastError();
  }
  if (status == cudaSuccess) status = cudaMemcpy(c, parts[2], bytes, cudaMemcpyDeviceToHost);
  for (float* part : parts)
    if (const cudaError_t freed = cudaFree(part); status == cudaSuccess) status = freed;
  return status;
}
