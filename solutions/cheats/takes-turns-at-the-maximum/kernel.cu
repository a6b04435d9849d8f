// lab: 11-atomics
// row: 41
// expect: pass
// without-audit: pass
// caught-by: whole_work
// earns: 78..88
// else-earns: 95..100
// The lanes of a warp swap at the one maximum one after the other, so that no request has two lanes at one address.
// All of them wait all the same.
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
  float own = -INFINITY;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256)
    if (values[i] > own) own = values[i];
  for (int turn = 0; turn < 32; ++turn)
    if (threadIdx.x % 32 == turn) atomic_max(largest, own);
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
