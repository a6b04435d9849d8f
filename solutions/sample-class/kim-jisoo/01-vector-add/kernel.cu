#include <cuda_runtime.h>

__global__ void vec_add(const float *a, const float *b, float *c) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  c[idx] = a[idx] + b[idx];
}

cudaError_t vector_add(const float *a, const float *b, float *c, int n) {
  float *gpu_a, *gpu_b, *gpu_c;
  int size = sizeof(float) * n;
  cudaError_t ret;

  ret = cudaMalloc(&gpu_a, size);
  if (ret != cudaSuccess) return ret;
  ret = cudaMalloc(&gpu_b, size);
  if (ret != cudaSuccess) {
    cudaFree(gpu_a);
    return ret;
  }
  ret = cudaMalloc(&gpu_c, size);
  if (ret != cudaSuccess) {
    cudaFree(gpu_a);
    cudaFree(gpu_b);
    return ret;
  }

  ret = cudaMemcpy(gpu_a, a, size, cudaMemcpyHostToDevice);
  if (ret == cudaSuccess) ret = cudaMemcpy(gpu_b, b, size, cudaMemcpyHostToDevice);
  if (ret == cudaSuccess) {
    vec_add<<<(n + 127) / 128, 128>>>(gpu_a, gpu_b, gpu_c);
    ret = cudaGetLastError();
  }
  if (ret == cudaSuccess) ret = cudaMemcpy(c, gpu_c, size, cudaMemcpyDeviceToHost);

  cudaFree(gpu_a);
  cudaFree(gpu_b);
  cudaFree(gpu_c);
  return ret;
}
