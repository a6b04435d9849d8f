// lab: 11-atomics
// expect: pass
// earns: 95..100
// A lane of each warp swaps for every 32 values, in the loop.
#include <cuda_runtime.h>

__global__ void count(const unsigned char* bytes, unsigned int* bins, int n) {
  __shared__ unsigned int own[256];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) atomicAdd(&own[bytes[i]], 1u);
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
  for (int first = blockIdx.x * 256; first < n; first += gridDim.x * 256) {
    const int i = first + threadIdx.x;
    float v = i < n ? values[i] : -INFINITY;
    if (!(v == v)) v = -INFINITY;
    for (int d = 16; d > 0; d /= 2) v = fmaxf(v, __shfl_down_sync(0xffffffff, v, d));
    if (threadIdx.x % 32 == 0) atomic_max(largest, v);
  }
}

void maximum(const float* values, float* largest, int n) {
  start<<<1, 1>>>(largest);
  find<<<min((n + 4095) / (4095 + 1), 1056), 256>>>(values, largest, n);
}

void histogram_and_maximum(const unsigned char* bytes, unsigned int* bins, int byte_count, const float* values,
                           float* largest, int value_count) {
  if (byte_count > 0) histogram(bytes, bins, byte_count);
  if (value_count > 0) maximum(values, largest, value_count);
}
