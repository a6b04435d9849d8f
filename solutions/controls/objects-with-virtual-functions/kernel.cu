// lab: 01-vector-add
// expect: pass
// A kernel makes an object with virtual functions in device memory, and another one calls them. The host has an object of its own.
#include <cuda_runtime.h>

#include <new>

struct operation {
  __host__ __device__ virtual float of(float a, float b) const { return a - b; }
};
struct sum : operation {
  __host__ __device__ float of(float a, float b) const override { return a + b; }
};

__global__ void make(sum* f) { new (f) sum; }

__global__ void add(const float* a, const float* b, float* c, int n, const operation* f) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = f->of(a[i], b[i]);
}

static float apply(const operation& f, float a, float b) { return f.of(a, b); }

cudaError_t vector_add(const float* a, const float* b, float* c, int n) {
  const size_t bytes = n * sizeof(float);
  float* parts[3] = {};
  cudaError_t status = cudaSuccess;
  for (float*& part : parts)
    if (status == cudaSuccess) status = cudaMalloc(&part, bytes);
  if (status == cudaSuccess) status = cudaMemcpy(parts[0], a, bytes, cudaMemcpyHostToDevice);
  if (status == cudaSuccess) status = cudaMemcpy(parts[1], b, bytes, cudaMemcpyHostToDevice);
  sum* of_device = nullptr;
  if (status == cudaSuccess) status = cudaMalloc(&of_device, sizeof *of_device);
  if (status == cudaSuccess && apply(sum(), 1, 2) == 3) {
    make<<<1, 1>>>(of_device);
    status = cudaGetLastError();
  }
  if (status == cudaSuccess) {
    add<<<(n + 255) / 256, 256>>>(parts[0], parts[1], parts[2], n, of_device);
    status = cudaGetLastError();
  }
  if (const cudaError_t freed = cudaFree(of_device); status == cudaSuccess) status = freed;
  if (status == cudaSuccess) status = cudaMemcpy(c, parts[2], bytes, cudaMemcpyDeviceToHost);
  for (float* part : parts)
    if (const cudaError_t freed = cudaFree(part); status == cudaSuccess) status = freed;
  return status;
}
