// lab: 01-vector-add
// expect: pass
// A mask that host code makes, a word of zeros or ones for each number, says how the kernel has to add them.
#include <cuda_runtime.h>

#include <vector>

__global__ void add(const float* a, const float* b, const int* turned, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = turned[i] != 0 ? b[i] + a[i] : a[i] + b[i];
}

cudaError_t vector_add(const float* a, const float* b, float* c, int n) {
  const size_t bytes = n * sizeof(float);
  std::vector<int> turned(n);
  for (int i = 0; i < n; ++i) turned[i] = a[i] < b[i] ? -1 : 0;
  float *device_a = nullptr, *device_b = nullptr, *device_c = nullptr;
  int* mask = nullptr;
  cudaError_t status = cudaMalloc(&device_a, bytes);
  if (status == cudaSuccess) status = cudaMalloc(&device_b, bytes);
  if (status == cudaSuccess) status = cudaMalloc(&device_c, bytes);
  if (status == cudaSuccess) status = cudaMalloc(&mask, bytes);
  if (status == cudaSuccess) status = cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice);
  if (status == cudaSuccess) status = cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice);
  if (status == cudaSuccess) status = cudaMemcpy(mask, turned.data(), bytes, cudaMemcpyHostToDevice);
  if (status == cudaSuccess) {
    add<<<(n + 255) / 256, 256>>>(device_a, device_b, mask, device_c, n);
    status = cudaGetLastError();
  }
  if (status == cudaSuccess) status = cudaMemcpy(c, device_c, bytes, cudaMemcpyDeviceToHost);
  for (void* p : {(void*)device_a, (void*)device_b, (void*)device_c, (void*)mask})
    if (const cudaError_t freed = cudaFree(p); status == cudaSuccess) status = freed;
  return status;
}
