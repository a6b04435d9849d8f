// lab: 01-vector-add
// expect: pass
// A function's address, taken by the device, travels through the host, which calls the function at its own address, too.
#include <cuda_runtime.h>

using operation = float (*)(float, float);

__host__ __device__ static float plus(float a, float b) { return a + b; }
__device__ operation plus_on_the_device = plus;

__global__ void add(const float* a, const float* b, float* c, int n, operation f) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = f(a[i], b[i]);
}

static float apply(operation f, float a, float b) { return f(a, b); }

cudaError_t vector_add(const float* a, const float* b, float* c, int n) {
  const size_t bytes = n * sizeof(float);
  float* parts[3] = {};
  cudaError_t status = cudaSuccess;
  for (float*& part : parts)
    if (status == cudaSuccess) status = cudaMalloc(&part, bytes);
  if (status == cudaSuccess) status = cudaMemcpy(parts[0], a, bytes, cudaMemcpyHostToDevice);
  if (status == cudaSuccess) status = cudaMemcpy(parts[1], b, bytes, cudaMemcpyHostToDevice);
  operation f = nullptr;
  if (status == cudaSuccess) status = cudaMemcpyFromSymbol(&f, plus_on_the_device, sizeof f);
  if (status == cudaSuccess && apply(plus, 1, 2) == 3) {
    add<<<(n + 255) / 256, 256>>>(parts[0], parts[1], parts[2], n, f);
    status = cudaGetLastError();
  }
  if (status == cudaSuccess) status = cudaMemcpy(c, parts[2], bytes, cudaMemcpyDeviceToHost);
  for (float* part : parts)
    if (const cudaError_t freed = cudaFree(part); status == cudaSuccess) status = freed;
  return status;
}
