// lab: 11-atomics
// row: 41
// expect: pass
// without-audit: pass
// caught-by: whole_work
// earns: 0..26
// else-earns: 90..100
// One global atomic for each byte, on counters of its own; the result gets one addition for each bin.
#include <cuda_runtime.h>
#include <math_constants.h>

__device__ unsigned int counters[256];
__device__ float best;

__global__ void clear(unsigned int* bins) {
  counters[threadIdx.x] = 0;
  bins[threadIdx.x] = 0;
}

__global__ void count(const unsigned char* bytes, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&counters[bytes[i]], 1);
}

__global__ void merge(unsigned int* bins) { atomicAdd(&bins[threadIdx.x], counters[threadIdx.x]); }

__device__ void raise(float* at, float value) {
  int seen = __float_as_int(-CUDART_INF_F);
  while (value > __int_as_float(seen)) {
    const int found = atomicCAS(reinterpret_cast<int*>(at), seen, __float_as_int(value));
    if (found == seen) return;
    seen = found;
  }
}

__global__ void start(float* largest) { *largest = best = -CUDART_INF_F; }

__global__ void find(const float* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) raise(&best, values[i]);
}

__global__ void tell(float* largest) { raise(largest, best); }

void histogram_and_maximum(const unsigned char* bytes, unsigned int* bins, int byte_count, const float* values,
                           float* largest, int value_count) {
  if (byte_count > 0) {
    clear<<<1, 256>>>(bins);
    count<<<(byte_count + 255) / 256, 256>>>(bytes, byte_count);
    merge<<<1, 256>>>(bins);
  }
  if (value_count > 0) {
    start<<<1, 1>>>(largest);
    find<<<(value_count + 255) / 256, 256>>>(values, value_count);
    tell<<<1, 1>>>(largest);
  }
}
