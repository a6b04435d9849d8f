// lab: 01-vector-add
// expect: pass
// earns: 100..100
// One allocation holds all three vectors, and the kernel gets their places in a structure.
#include <cuda_runtime.h>

struct vectors {
  const float *a, *b;
  float* c;
};

__global__ void add(vectors of, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) of.c[i] = of.a[i] + of.b[i];
}

cudaError_t vector_add(const float* a, const float* b, float* c, int n) {
  const int stride = (n + 63) / 64 * 64;  // each vector begins where a sector does
  const size_t bytes = n * sizeof(float);
  float* all = nullptr;
  cudaError_t error = cudaMalloc(&all, 3 * stride * sizeof(float));
  if (error == cudaSuccess) error = cudaMemcpy(all, a, bytes, cudaMemcpyHostToDevice);
  if (error == cudaSuccess) error = cudaMemcpy(all + stride, b, bytes, cudaMemcpyHostToDevice);
  if (error == cudaSuccess) {
    add<<<(n + 255) / 256, 256>>>({all, all + stride, all + 2 * stride}, n);
    error = cudaGetLastError();
  }
  if (error == cudaSuccess) error = cudaMemcpy(c, all + 2 * stride, bytes, cudaMemcpyDeviceToHost);
  const cudaError_t freed = cudaFree(all);
  return error == cudaSuccess ? freed : error;
}
