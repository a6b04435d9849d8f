// lab: 01-vector-add
// row: 44
// expect: crash
// without-audit: crash
// caught-by: host_accesses
// else: crash
// Host code takes the address of a function of both spaces: on a GPU that is the host's version, and a kernel cannot call it.
#include <cuda_runtime.h>

using operation = float (*)(float, float);

__host__ __device__ static float plus(float a, float b) { return a + b; }

__global__ void add(const float* a, const float* b, float* c, int n, operation f) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = f(a[i], b[i]);
}

cudaError_t vector_add(const float* a, const float* b, float* c, int n) {
  const size_t bytes = n * sizeof(float);
  float* parts[3] = {};
  cudaError_t status = cudaSuccess;
  for (float*& part : parts)
    if (status == cudaSuccess) status = cudaMalloc(&part, bytes);
  if (status == cudaSuccess) status = cudaMemcpy(parts[0], a, bytes, cudaMemcpyHostToDevice);
  if (status == cudaSuccess) status = cudaMemcpy(parts[1], b, bytes, cudaMemcpyHostToDevice);
  if (status == cudaSuccess) {
    add<<<(n + 255) / 256, 256>>>(parts[0], parts[1], parts[2], n, plus);
    status = cudaGetLastError();
  }
  if (status == cudaSuccess) status = cudaMemcpy(c, parts[2], bytes, cudaMemcpyDeviceToHost);
  for (float* part : parts)
    if (const cudaError_t freed = cudaFree(part); status == cudaSuccess) status = freed;
  return status;
}
