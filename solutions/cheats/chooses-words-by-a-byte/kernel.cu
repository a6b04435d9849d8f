// lab: 01-vector-add
// row: 35
// expect: forbidden
// without-audit: forbidden
// caught-by: kernel_writes
// The host adds, and looks for a word of the inputs that ends with each byte of the sums, where there is one. All that it copies are
// words of the inputs; a kernel puts their last bytes together.
#include <cuda_runtime.h>

#include <cstring>
#include <vector>

__global__ void put_together(const unsigned* words, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned bits = 0;
  for (int byte = 0; byte < 4; ++byte) bits |= (words[byte * n + i] & 0xff) << 8 * byte;
  c[i] = __uint_as_float(bits);
}

unsigned bits_of(float value) {
  unsigned bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

cudaError_t vector_add(const float* a, const float* b, float* c, int n) {
  const size_t bytes = n * sizeof(float);
  unsigned with_byte[256];
  for (unsigned byte = 0; byte < 256; ++byte) with_byte[byte] = byte;
  for (int i = 0; i < n; ++i)
    for (const unsigned word : {bits_of(a[i]), bits_of(b[i])}) with_byte[word & 0xff] = word;
  std::vector<unsigned> words(4 * static_cast<size_t>(n));
  for (int i = 0; i < n; ++i)
    for (int byte = 0; byte < 4; ++byte) words[byte * n + i] = with_byte[bits_of(a[i] + b[i]) >> 8 * byte & 0xff];
  float* device_c = nullptr;
  unsigned* device_words = nullptr;
  cudaError_t status = cudaMalloc(&device_words, 4 * bytes);
  if (status == cudaSuccess) status = cudaMalloc(&device_c, bytes);
  if (status == cudaSuccess) status = cudaMemcpy(device_words, words.data(), 4 * bytes, cudaMemcpyHostToDevice);
  if (status == cudaSuccess) {
    put_together<<<(n + 255) / 256, 256>>>(device_words, device_c, n);
    status = cudaGetLastError();
  }
  if (status == cudaSuccess) status = cudaMemcpy(c, device_c, bytes, cudaMemcpyDeviceToHost);
  if (const cudaError_t freed = cudaFree(device_words); status == cudaSuccess) status = freed;
  if (const cudaError_t freed = cudaFree(device_c); status == cudaSuccess) status = freed;
  return status;
}
