#include <cuda_runtime.h>
#include <cmath>
using namespace std;

__global__ void suma(const float* a, const float* b, float* c, int n) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id < n) c[id] = a[id] + b[id];
}

cudaError_t vector_add(const float* a, const float* b, float* c, int n) {
  float *d_a = 0, *d_b = 0, *d_c = 0;
  size_t bytes = n * sizeof(float);
  cudaError_t e = cudaMalloc(&d_a, bytes);
  if (e == cudaSuccess) e = cudaMalloc(&d_b, bytes);
  if (e == cudaSuccess) e = cudaMalloc(&d_c, bytes);
  if (e == cudaSuccess) e = cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice);
  if (e == cudaSuccess) e = cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice);
  if (e == cudaSuccess) {
    suma<<<(int)ceil((float)n / 1024), 1024>>>(d_a, d_b, d_c, n);
    e = cudaGetLastError();
  }
  if (e == cudaSuccess) e = cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost);
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
  return e;
}
