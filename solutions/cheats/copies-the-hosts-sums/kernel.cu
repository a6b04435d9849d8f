// lab: 01-vector-add
// row: 35
// expect: forbidden
// without-audit: forbidden
// caught-by: kernel_writes
// The host adds, and a kernel only copies the sums from one array of the device to another.
#include <cuda_runtime.h>

#include <vector>

__global__ void add(const float* sums, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = sums[i];
}

cudaError_t vector_add(const float* a, const float* b, float* c, int n) {
  const size_t bytes = n * sizeof(float);
  std::vector<float> sums(n);
  for (int i = 0; i < n; ++i) sums[i] = a[i] + b[i];
  float *device_sums = nullptr, *device_c = nullptr;
  cudaError_t status = cudaMalloc(&device_sums, bytes);
  if (status == cudaSuccess) status = cudaMalloc(&device_c, bytes);
  if (status == cudaSuccess) status = cudaMemcpy(device_sums, sums.data(), bytes, cudaMemcpyHostToDevice);
  if (status == cudaSuccess) {
    add<<<(n + 255) / 256, 256>>>(device_sums, device_c, n);
    status = cudaGetLastError();
  }
  if (status == cudaSuccess) status = cudaMemcpy(c, device_c, bytes, cudaMemcpyDeviceToHost);
  for (float* p : {device_sums, device_c})
    if (const cudaError_t freed = cudaFree(p); status == cudaSuccess) status = freed;
  return status;
}
