// lab: 16-unified-memory
// row: 35
// expect: forbidden
// without-audit: forbidden
// caught-by: kernel_writes
// Host code does all steps in managed memory; a kernel multiplies by one, so that each element is a kernel's.
#include <cuda_runtime.h>

#include <cstring>

__managed__ int counted;

__global__ void take(float* x, int n, int count, float one) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= one;
  if (i == 0) counted = count;
}

cudaError_t three_ways(const float* signal, const float* gains, float* copied, float* managed, float* streamed,
                       int* clipped, int n, int steps) {
  float* x = nullptr;
  cudaError_t status = cudaMallocManaged(&x, n * sizeof(float));
  if (status != cudaSuccess) return status;
  int count = 0;
  for (int i = 0; i < n; ++i) {
    float value = signal[i];
    for (int k = 0; k < steps; ++k) {
      value *= gains[k];
      if (value >= -1.0f && value <= 1.0f) continue;
      value = value < 0.0f ? -1.0f : 1.0f;
      ++count;
    }
    x[i] = value;
  }
  take<<<(n + 255) / 256, 256>>>(x, n, count, 1.0f);
  status = cudaGetLastError();
  if (status == cudaSuccess) status = cudaDeviceSynchronize();
  for (float* to : {copied, managed, streamed}) std::memcpy(to, x, n * sizeof(float));
  *clipped = counted;
  cudaFree(x);
  return status;
}
