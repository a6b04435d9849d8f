// lab: 01-vector-add
// row: 44
// expect: compile_error
// without-audit: compile_error
// caught-by: translator
// else: compile_error
// An object with virtual functions goes to a kernel by value: on a GPU it points to the host's table of functions.
#include <cuda_runtime.h>

struct operation {
  __host__ __device__ virtual float of(float a, float b) const { return a - b; }
};
struct sum : operation {
  __host__ __device__ float of(float a, float b) const override { return a + b; }
};

__device__ __noinline__ float apply(const operation& f, float a, float b) { return f.of(a, b); }

__global__ void add(const float* a, const float* b, float* c, int n, sum f) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = apply(f, a[i], b[i]);
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
    add<<<(n + 255) / 256, 256>>>(parts[0], parts[1], parts[2], n, sum());
    status = cudaGetLastError();
  }
  if (status == cudaSuccess) status = cudaMemcpy(c, parts[2], bytes, cudaMemcpyDeviceToHost);
  for (float* part : parts)
    if (const cudaError_t freed = cudaFree(part); status == cudaSuccess) status = freed;
  return status;
}
