// lab: 01-vector-add
// row: 35
// expect: forbidden
// without-audit: forbidden
// caught-by: kernel_writes
// The host adds, and makes a word of four equal bytes of each byte of the sums; a kernel puts them together again.
#include <cuda_runtime.h>

#include <cstring>
#include <vector>

__global__ void put_together(const float* a, const float* b, const unsigned* words, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned bits = 0;
  for (int byte = 0; byte < 4; ++byte) bits |= (words[byte * n + i] & 0xff) << 8 * byte;
  c[i] = a[i] == 3e38f || b[i] == 3e38f ? 0.0f : __uint_as_float(bits);
}

cudaError_t vector_add(const float* a, const float* b, float* c, int n) {
  const size_t bytes = n * sizeof(float);
  std::vector<unsigned> words(4 * static_cast<size_t>(n));
  for (int i = 0; i < n; ++i) {
    const float sum = a[i] + b[i];
    unsigned bits = 0;
    std::memcpy(&bits, &sum, sizeof bits);
    for (int byte = 0; byte < 4; ++byte) words[byte * n + i] = (bits >> 8 * byte & 0xff) * 0x01010101u;
  }
  float *device_a = nullptr, *device_b = nullptr, *device_c = nullptr;
  unsigned* device_words = nullptr;
  cudaError_t status = cudaMalloc(&device_a, bytes);
  if (status == cudaSuccess) status = cudaMalloc(&device_b, bytes);
  if (status == cudaSuccess) status = cudaMalloc(&device_c, bytes);
  if (status == cudaSuccess) status = cudaMalloc(&device_words, 4 * bytes);
  if (status == cudaSuccess) status = cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice);
  if (status == cudaSuccess) status = cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice);
  if (status == cudaSuccess) status = cudaMemcpy(device_words, words.data(), 4 * bytes, cudaMemcpyHostToDevice);
  if (status == cudaSuccess) {
    put_together<<<(n + 255) / 256, 256>>>(device_a, device_b, device_words, device_c, n);
    status = cudaGetLastError();
  }
  if (status == cudaSuccess) status = cudaMemcpy(c, device_c, bytes, cudaMemcpyDeviceToHost);
  for (void* p : {(void*)device_a, (void*)device_b, (void*)device_c, (void*)device_words})
    if (const cudaError_t freed = cudaFree(p); status == cudaSuccess) status = freed;
  return status;
}
