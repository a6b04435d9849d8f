// A kernel computes, and the host does what counts.
#include <cuda_runtime.h>

cudaError_t add(const int* a, const int* b, int* sum, int n);

__global__ void look_busy(const int* a, int* sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] = a[i] + 1000;
}

cudaError_t add(const int* a, const int* b, int* sum, int n) {
  const size_t bytes = n * sizeof(int);
  int *device_a = nullptr, *device_sum = nullptr;
  cudaError_t e = cudaMalloc(&device_a, bytes);
  if (e == cudaSuccess) e = cudaMalloc(&device_sum, bytes);
  if (e == cudaSuccess) e = cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice);
  if (e == cudaSuccess) {
    look_busy<<<(n + 127) / 128, 128>>>(device_a, device_sum, n);
    e = cudaGetLastError();
  }
  if (e == cudaSuccess) e = cudaMemcpy(sum, device_sum, bytes, cudaMemcpyDeviceToHost);
  if (e == cudaSuccess)
    for (int i = 0; i < n; ++i) sum[i] = a[i] + b[i];
  cudaFree(device_a);
  cudaFree(device_sum);
  return e;
}
