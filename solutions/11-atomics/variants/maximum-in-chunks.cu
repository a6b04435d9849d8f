// expect: correct=pass safe=pass fast=86..95
// Each thread looks at 16 neighbouring values: the lanes of a request are 64 bytes apart, 32 sectors for 128 bytes.
#include <cuda_runtime.h>

#define VALUES_PER_THREAD 16

__global__ void count(const unsigned char* bytes, unsigned int* bins, int n) {
  __shared__ unsigned int own[256];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) atomicAdd(&own[bytes[i]], 1u);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

void histogram(const unsigned char* bytes, unsigned int* bins, int n) {
  cudaMemset(bins, 0, 256 * sizeof(unsigned int));
  count<<<min((n + 4095) / 4096, 1056), 256>>>(bytes, bins, n);
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
  const int first = (blockIdx.x * 256 + threadIdx.x) * VALUES_PER_THREAD;
  for (int i = first; i < first + VALUES_PER_THREAD && i < n; i++)
    if (values[i] > own) own = values[i];
  atomic_max(&of_block, own);
  __syncthreads();
  if (threadIdx.x == 0) atomic_max(largest, of_block);
}

void maximum(const float* values, float* largest, int n) {
  start<<<1, 1>>>(largest);
  const int per_block = 256 * VALUES_PER_THREAD;
  find<<<(n + per_block - 1) / per_block, 256>>>(values, largest, n);
}

void histogram_and_maximum(const unsigned char* bytes, unsigned int* bins, int byte_count, const float* values,
                           float* largest, int value_count) {
  if (byte_count > 0) histogram(bytes, bins, byte_count);
  if (value_count > 0) maximum(values, largest, value_count);
}
