#include <cuda_runtime.h>
#include <stdio.h>

__global__ void soma(const float* a, const float* b, float* c, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

cudaError_t vector_add(const float* a, const float* b, float* c, int n) {
  float *A, *B, *C;
  cudaError_t erro;

  if ((erro = cudaMalloc((void**)&A, n * sizeof(float))) != cudaSuccess) return erro;
  if ((erro = cudaMalloc((void**)&B, n * sizeof(float))) != cudaSuccess) return erro;
  if ((erro = cudaMalloc((void**)&C, n * sizeof(float))) != cudaSuccess) return erro;

  if ((erro = cudaMemcpy(A, a, n * sizeof(float), cudaMemcpyHostToDevice)) != cudaSuccess) return erro;
  if ((erro = cudaMemcpy(B, b, n * sizeof(float), cudaMemcpyHostToDevice)) != cudaSuccess) return erro;

  int blocos = (n + 255) / 256;
  soma<<<blocos, 256>>>(A, B, C, n);
  if ((erro = cudaGetLastError()) != cudaSuccess) return erro;

  return cudaMemcpy(c, C, n * sizeof(float), cudaMemcpyDeviceToHost);
}
