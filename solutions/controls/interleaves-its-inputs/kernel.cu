// lab: 01-vector-add
// expect: pass
// earns: 75..85
// The host lays both inputs out as pairs, behind a small table of its own, and one copy brings all to the device.
#include <cuda_runtime.h>

#include <cstring>
#include <vector>

constexpr int entries = 64;

__global__ void add(const float* scales, const float2* pairs, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = scales[i % entries] * (pairs[i].x + pairs[i].y);
}

cudaError_t vector_add(const float* a, const float* b, float* c, int n) {
  std::vector<float> packed(entries + 2 * static_cast<size_t>(n), 1.0f);
  for (int i = 0; i < n; ++i) {
    packed[entries + 2 * i] = a[i];
    packed[entries + 2 * i + 1] = b[i];
  }
  float *all = nullptr, *sums = nullptr;
  cudaError_t status = cudaMalloc(&all, packed.size() * sizeof(float));
  if (status == cudaSuccess) status = cudaMalloc(&sums, n * sizeof(float));
  if (status == cudaSuccess)
    status = cudaMemcpy(all, packed.data(), packed.size() * sizeof(float), cudaMemcpyHostToDevice);
  if (status == cudaSuccess) {
    add<<<(n + 255) / 256, 256>>>(all, reinterpret_cast<const float2*>(all + entries), sums, n);
    status = cudaGetLastError();
  }
  if (status == cudaSuccess) status = cudaMemcpy(c, sums, n * sizeof(float), cudaMemcpyDeviceToHost);
  for (float* p : {all, sums})
    if (const cudaError_t freed = cudaFree(p); status == cudaSuccess) status = freed;
  return status;
}
