#include <cuda_runtime.h>

#include <cstddef>
#include <initializer_list>

namespace {

// Owns a piece of device memory; freed on every way out.
template <typename T>
struct DeviceBuffer {
  T* ptr = nullptr;
  cudaError_t error;
  explicit DeviceBuffer(std::size_t count) : error(cudaMalloc(&ptr, count * sizeof(T))) {}
  ~DeviceBuffer() { cudaFree(ptr); }
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;
};

__global__ void addKernel(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int n) {
  const int stride = blockDim.x * gridDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) c[i] = a[i] + b[i];
}

}  // namespace

cudaError_t vector_add(const float* a, const float* b, float* c, int n) {
  const std::size_t bytes = n * sizeof(float);
  DeviceBuffer<float> da(n), db(n), dc(n);
  for (cudaError_t e : {da.error, db.error, dc.error})
    if (e != cudaSuccess) return e;

  if (auto e = cudaMemcpy(da.ptr, a, bytes, cudaMemcpyHostToDevice); e != cudaSuccess) return e;
  if (auto e = cudaMemcpy(db.ptr, b, bytes, cudaMemcpyHostToDevice); e != cudaSuccess) return e;
  addKernel<<<128, 256>>>(da.ptr, db.ptr, dc.ptr, n);
  if (auto e = cudaGetLastError(); e != cudaSuccess) return e;
  return cudaMemcpy(c, dc.ptr, bytes, cudaMemcpyDeviceToHost);
}
