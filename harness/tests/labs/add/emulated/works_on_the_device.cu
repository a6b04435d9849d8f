// Right in every way that a host entry may bring its arguments to the device and the result back.
#include <cuda_runtime.h>

#include <vector>

cudaError_t add(const int* a, const int* b, int* sum, int n);

__global__ void add_elements(const int* a, const int* b, int* sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] = a[i] + b[i];
}

cudaError_t add(const int* a, const int* b, int* sum, int n) {
  const size_t bytes = n * sizeof(int);
  int *device_a = nullptr, *managed_b = nullptr, *managed_sum = nullptr;
  cudaError_t e = cudaMalloc(&device_a, bytes);
  if (e == cudaSuccess) e = cudaMallocManaged(&managed_b, bytes);
  if (e == cudaSuccess) e = cudaMallocManaged(&managed_sum, bytes);
  const std::vector<int> staged(a, a + n);
  if (e == cudaSuccess) e = cudaMemcpy(device_a, staged.data(), bytes, cudaMemcpyHostToDevice);
  if (e == cudaSuccess) {
    for (int i = 0; i < n; ++i) managed_b[i] = b[i];
    add_elements<<<(n + 127) / 128, 128>>>(device_a, managed_b, managed_sum, n);
    e = cudaGetLastError();
  }
  std::vector<int> half(n);
  if (e == cudaSuccess) e = cudaMemcpy(half.data(), managed_sum, bytes / 2, cudaMemcpyDeviceToHost);
  if (e == cudaSuccess)
    for (int i = 0; i < n; ++i) sum[i] = i < n / 2 ? half[i] : managed_sum[i];
  cudaFree(device_a);
  cudaFree(managed_b);
  cudaFree(managed_sum);
  return e;
}
