#include <cuda_runtime.h>

#include <iostream>

#define gpuErrchk(ans)                                                                             \
  {                                                                                                \
    cudaError_t code = (ans);                                                                      \
    if (code != cudaSuccess) {                                                                     \
      std::cerr << "GPUassert: " << cudaGetErrorString(code) << " line " << __LINE__ << std::endl; \
      result = code;                                                                               \
      goto fine;                                                                                   \
    }                                                                                              \
  }

__global__ void somma(const float* a, const float* b, float* c, int n) {
  int idx = threadIdx.x + blockIdx.x * blockDim.x;
  if (idx < n) c[idx] = a[idx] + b[idx];
}

cudaError_t vector_add(const float* a, const float* b, float* c, int n) {
  float *da = nullptr, *db = nullptr, *dc = nullptr;
  cudaError_t result = cudaSuccess;
  gpuErrchk(cudaMalloc(&da, n * sizeof(float)));
  gpuErrchk(cudaMalloc(&db, n * sizeof(float)));
  gpuErrchk(cudaMalloc(&dc, n * sizeof(float)));
  gpuErrchk(cudaMemcpy(da, a, n * sizeof(float), cudaMemcpyHostToDevice));
  gpuErrchk(cudaMemcpy(db, b, n * sizeof(float), cudaMemcpyHostToDevice));
  gpuErrchk(cudaMemcpy(dc, c, n * sizeof(float), cudaMemcpyHostToDevice));
  somma<<<(n + 255) / 256, 256>>>(da, db, dc, n);
  gpuErrchk(cudaPeekAtLastError());
  gpuErrchk(cudaDeviceSynchronize());
  gpuErrchk(cudaMemcpy(c, dc, n * sizeof(float), cudaMemcpyDeviceToHost));
fine:
  cudaFree(da);
  cudaFree(db);
  cudaFree(dc);
  return result;
}
