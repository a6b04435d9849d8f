// lab: 01-vector-add
// expect: pass
// Two streams bring their halves to pinned memory of the program's own; then the whole goes where it belongs.
#include <cuda_runtime.h>
#include <cstring>

__global__ void add(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

cudaError_t vector_add(const float* a, const float* b, float* c, int n) {
  const size_t bytes = n * sizeof(float);
  float *pinned = nullptr, *device = nullptr;
  cudaStream_t streams[2] = {};
  cudaError_t error = cudaMallocHost(&pinned, 3 * bytes);
  if (error == cudaSuccess) error = cudaMalloc(&device, 3 * bytes);
  for (cudaStream_t& one : streams)
    if (error == cudaSuccess) error = cudaStreamCreate(&one);
  if (error == cudaSuccess) {
    std::memcpy(pinned, a, bytes);
    std::memcpy(pinned + n, b, bytes);
  }
  for (int half = 0; half < 2 && error == cudaSuccess; ++half) {
    const int first = half == 0 ? 0 : n / 2, count = half == 0 ? n / 2 : n - n / 2;
    if (count == 0) continue;
    cudaStream_t stream = streams[half];
    for (int operand = 0; operand < 2; ++operand)
      cudaMemcpyAsync(device + operand * n + first, pinned + operand * n + first, count * sizeof(float),
                      cudaMemcpyHostToDevice, stream);
    float* at = device + first;
    add<<<(count + 255) / 256, 256, 0, stream>>>(at, at + n, at + 2 * n, count);
    error = cudaGetLastError();
    cudaMemcpyAsync(pinned + 2 * n + first, at + 2 * n, count * sizeof(float), cudaMemcpyDeviceToHost, stream);
  }
  for (cudaStream_t one : streams) {
    const cudaError_t ended = cudaStreamSynchronize(one);
    if (error == cudaSuccess) error = ended;
  }
  if (error == cudaSuccess) std::memcpy(c, pinned + 2 * n, bytes);
  for (cudaStream_t one : streams) cudaStreamDestroy(one);
  cudaFree(device);
  cudaFreeHost(pinned);
  return error;
}
