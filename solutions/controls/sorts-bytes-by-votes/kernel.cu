// lab: 11-atomics
// expect: pass
// earns: 99..100
// Eight votes tell each lane which others have its byte; one lane of each group counts.
#include <cuda_runtime.h>

// eight votes bring each byte's mates together; one lane of each group counts in shared memory
__global__ void count(const unsigned char* bytes, unsigned int* bins, int n) {
  __shared__ unsigned own[256];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (int first = blockIdx.x * 4096; first < n && first < (blockIdx.x + 1) * 4096; first += 256) {
    const int i = first + threadIdx.x;
    const unsigned there = __ballot_sync(0xffffffff, i < n);
    const unsigned v = i < n ? bytes[i] : 0;
    unsigned mates = there;
    for (int bit = 0; bit < 8; ++bit) {
      const unsigned set = __ballot_sync(0xffffffff, v >> bit & 1);
      mates &= v >> bit & 1 ? set : ~set;
    }
    if (i < n && __ffs(mates) - 1 == threadIdx.x % 32) atomicAdd(&own[v], __popc(mates));
  }
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

void histogram(const unsigned char* bytes, unsigned int* bins, int n) {
  cudaMemset(bins, 0, 1024);
  count<<<(n + 4095) / 4096, 256>>>(bytes, bins, n);
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
