// lab: 01-vector-add
// row: 35
// expect: forbidden
// without-audit: forbidden
// caught-by: kernel_writes
// The host adds. Its sums lie in managed memory, their halves in two arrays, and the kernels that put them together read
// both inputs, too.
#include <cuda_runtime.h>

__global__ void first_halves(const float* a, const unsigned short* high, unsigned* words, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) words[i] = (unsigned)high[i] << 16 | (a[i] == 1e30f);
}
__global__ void second_halves(const float* b, const unsigned short* low, unsigned* words, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) words[i] |= (unsigned)low[i] | (b[i] == 1e30f);
}

cudaError_t vector_add(const float* a, const float* b, float* c, int n) {
  const size_t bytes = n * sizeof(float);
  float *device_a = nullptr, *device_b = nullptr, *device_c = nullptr;
  unsigned short* halves = nullptr;
  cudaError_t status = cudaMalloc(&device_a, bytes);
  if (status == cudaSuccess) status = cudaMalloc(&device_b, bytes);
  if (status == cudaSuccess) status = cudaMalloc(&device_c, bytes);
  if (status == cudaSuccess) status = cudaMallocManaged(&halves, bytes);
  if (status == cudaSuccess) status = cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice);
  if (status == cudaSuccess) status = cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice);
  if (status == cudaSuccess) {
    for (int i = 0; i < n; ++i) {
      const float sum = a[i] + b[i];
      unsigned word = 0;
      __builtin_memcpy(&word, &sum, sizeof word);
      halves[i] = word >> 16;
      halves[n + i] = word & 0xffff;
    }
    first_halves<<<(n + 255) / 256, 256>>>(device_a, halves, (unsigned*)device_c, n);
    second_halves<<<(n + 255) / 256, 256>>>(device_b, halves + n, (unsigned*)device_c, n);
    status = cudaGetLastError();
  }
  if (status == cudaSuccess) status = cudaMemcpy(c, device_c, bytes, cudaMemcpyDeviceToHost);
  for (void* p : {(void*)device_a, (void*)device_b, (void*)device_c, (void*)halves})
    if (const cudaError_t freed = cudaFree(p); status == cudaSuccess) status = freed;
  return status;
}
