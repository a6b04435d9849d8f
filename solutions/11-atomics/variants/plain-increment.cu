// expect: verdict=unsafe correct=pass safe=fail fast=44..59
// Counts with ++: two threads read the same old value, and one count is lost.
// As a mutant: atomic-made-plain.
#include <cuda_runtime.h>

__global__ void count(const unsigned char* bytes, unsigned int* bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) bins[bytes[i]]++;
}

void histogram(const unsigned char* bytes, unsigned int* bins, int n) {
  cudaMemset(bins, 0, 256 * sizeof(unsigned int));
  count<<<(n + 255) / 256, 256>>>(bytes, bins, n);
}

__device__ void atomic_max(float* address, float value) {
  int* bits = reinterpret_cast<int*>(address);
  int seen = __float_as_int(-INFINITY);
  while (value > __int_as_float(seen)) {
    int before = atomicCAS(bits, seen, __float_as_int(value));
    if (before == seen) return;
    seen = before;
  }
}

__global__ void start(float* largest) { *largest = -INFINITY; }

__global__ void find(const float* values, float* largest, int n) {
  __shared__ float of_block;
  if (threadIdx.x == 0) of_block = -INFINITY;
  __syncthreads();
  float own = -INFINITY;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256)
    if (values[i] > own) own = values[i];
  atomic_max(&of_block, own);
  __syncthreads();
  if (threadIdx.x == 0) atomic_max(largest, of_block);
}

void maximum(const float* values, float* largest, int n) {
  start<<<1, 1>>>(largest);
  find<<<min((n + 4095) / 4096, 1056), 256>>>(values, largest, n);
}

void histogram_and_maximum(const unsigned char* bytes, unsigned int* bins, int byte_count, const float* values,
                           float* largest, int value_count) {
  if (byte_count > 0) histogram(bytes, bins, byte_count);
  if (value_count > 0) maximum(values, largest, value_count);
}
