// lab: 16-unified-memory
// expect: pass
// earns: 10..25
// Each step's result comes back to memory of the program's own, and goes to the device again for the next one.
#include <cuda_runtime.h>

#include <vector>

__device__ float gain;

__global__ void amplify(float* x, int n, int* count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  x[i] *= gain;
  if (x[i] >= -1.0f && x[i] <= 1.0f) return;
  x[i] = x[i] < 0.0f ? -1.0f : 1.0f;
  atomicAdd(count, 1);
}

cudaError_t three_ways(const float* signal, const float* gains, float* copied, float* managed, float* streamed,
                       int* clipped, int n, int steps) {
  const size_t bytes = n * sizeof(float);
  std::vector<float> between(signal, signal + n);
  float* x = nullptr;
  int* count = nullptr;
  cudaError_t status = cudaMalloc(&x, bytes);
  if (status == cudaSuccess) status = cudaMallocManaged(&count, sizeof(int));
  if (status == cudaSuccess) *count = 0;
  for (int step = 0; step < steps && status == cudaSuccess; ++step) {
    status = cudaMemcpyToSymbol(gain, gains + step, sizeof(float));
    if (status == cudaSuccess) status = cudaMemcpy(x, between.data(), bytes, cudaMemcpyHostToDevice);
    amplify<<<(n + 255) / 256, 256>>>(x, n, count);
    if (status == cudaSuccess) status = cudaGetLastError();
    if (status == cudaSuccess) status = cudaMemcpy(between.data(), x, bytes, cudaMemcpyDeviceToHost);
  }
  for (float* to : {copied, managed, streamed})
    if (status == cudaSuccess) status = cudaMemcpy(to, x, bytes, cudaMemcpyDeviceToHost);
  if (status == cudaSuccess) *clipped = *count;
  cudaFree(x);
  cudaFree(count);
  return status;
}
