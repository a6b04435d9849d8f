// Amara Okafor, lab 1
#include <cuda_runtime.h>

#define BLOCK_SIZE 256

// stop at the first error and clean up below
#define TRY(x)                 \
  if (status == cudaSuccess) { \
    status = (x);              \
  }

__global__ void vecAdd(const float* A, const float* B, float* C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    C[i] = A[i] + B[i];
  }
}

cudaError_t vector_add(const float* a, const float* b, float* c, int n) {
  float* dA = NULL;
  float* dB = NULL;
  float* dC = NULL;
  size_t size = n * sizeof(float);
  cudaError_t status = cudaSuccess;

  TRY(cudaMalloc((void**)&dA, size));
  TRY(cudaMalloc((void**)&dB, size));
  TRY(cudaMalloc((void**)&dC, size));
  TRY(cudaMemcpy(dA, a, size, cudaMemcpyHostToDevice));
  TRY(cudaMemcpy(dB, b, size, cudaMemcpyHostToDevice));

  if (status == cudaSuccess) {
    dim3 dimBlock(BLOCK_SIZE);
    dim3 dimGrid((n - 1) / BLOCK_SIZE + 1);
    vecAdd<<<dimGrid, dimBlock>>>(dA, dB, dC, n);
    status = cudaGetLastError();
  }

  TRY(cudaMemcpy(c, dC, size, cudaMemcpyDeviceToHost));

  if (dA) cudaFree(dA);
  if (dB) cudaFree(dB);
  if (dC) cudaFree(dC);
  return status;
}
