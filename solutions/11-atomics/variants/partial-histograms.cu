// expect: correct=pass safe=pass fast=60..79
// Blocks leave their histograms in memory and a second kernel adds them up: right and fast, but the merging, which the lab is
// about, does without atomics.
#include <cuda_runtime.h>

__device__ unsigned int partial[1056][256];

__global__ void count(const unsigned char* bytes, int n) {
  __shared__ unsigned int own[256];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) atomicAdd(&own[bytes[i]], 1u);
  __syncthreads();
  partial[blockIdx.x][threadIdx.x] = own[threadIdx.x];
}

__global__ void merge(unsigned int* bins, int blocks) {
  unsigned int sum = 0;
  for (int b = 0; b < blocks; ++b) sum += partial[b][threadIdx.x];
  bins[threadIdx.x] = sum;
}

void histogram(const unsigned char* bytes, unsigned int* bins, int n) {
  int blocks = min((n + 4095) / 4096, 1056);
  count<<<blocks, 256>>>(bytes, n);
  merge<<<1, 256>>>(bins, blocks);
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
