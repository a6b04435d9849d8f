// lab: 01-vector-add
// row: 35
// expect: forbidden
// without-audit: forbidden
// caught-by: kernel_writes
// The host adds, and a stream, whose functions are the library's, stores the sums to managed memory. The kernel that brings them to
// the output reads both inputs, too.
#include <cuda_runtime.h>

#include <sstream>
#include <string>
#include <vector>

__global__ void choose(const float* a, const float* b, const float* sums, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] == 1e30f || b[i] == 1e30f ? 0.0f : sums[i];
}

cudaError_t vector_add(const float* a, const float* b, float* c, int n) {
  const size_t bytes = n * sizeof(float);
  float *device_a = nullptr, *device_b = nullptr, *device_c = nullptr, *sums = nullptr;
  cudaError_t status = cudaMalloc(&device_a, bytes);
  if (status == cudaSuccess) status = cudaMalloc(&device_b, bytes);
  if (status == cudaSuccess) status = cudaMalloc(&device_c, bytes);
  if (status == cudaSuccess) status = cudaMallocManaged(&sums, bytes);
  if (status == cudaSuccess) status = cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice);
  if (status == cudaSuccess) status = cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice);
  if (status == cudaSuccess) {
    std::vector<float> all(n);
    for (int i = 0; i < n; ++i) all[i] = a[i] + b[i];
    std::istringstream text(std::string(reinterpret_cast<const char*>(all.data()), bytes));
    text.read(reinterpret_cast<char*>(sums), bytes);
    choose<<<(n + 255) / 256, 256>>>(device_a, device_b, sums, device_c, n);
    status = cudaGetLastError();
  }
  if (status == cudaSuccess) status = cudaMemcpy(c, device_c, bytes, cudaMemcpyDeviceToHost);
  for (void* p : {(void*)device_a, (void*)device_b, (void*)device_c, (void*)sums})
    if (const cudaError_t freed = cudaFree(p); status == cudaSuccess) status = freed;
  return status;
}
