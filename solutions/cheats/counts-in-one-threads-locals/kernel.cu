// lab: 11-atomics
// row: 44
// expect: crash
// without-audit: crash
// caught-by: local_memory
// A block counts in the local array of its first thread, whose address stands in shared memory: atomic operations on
// what nobody shares have no contention.
#include <cuda_runtime.h>
#include <math_constants.h>

__global__ void count(const unsigned char* bytes, unsigned int* bins, int n) {
  __shared__ unsigned int* counters;
  unsigned int own[256];
  if (threadIdx.x == 0) {
    for (int bin = 0; bin < 256; ++bin) own[bin] = 0;
    counters = own;
  }
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&counters[bytes[i]], 1u);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], atomicAdd(&counters[threadIdx.x], 0u));
  __syncthreads();
}

__device__ void raise(float* at, float value) {
  int seen = __float_as_int(-CUDART_INF_F);
  while (value > __int_as_float(seen)) {
    const int found = atomicCAS(reinterpret_cast<int*>(at), seen, __float_as_int(value));
    if (found == seen) return;
    seen = found;
  }
}

__global__ void start(float* largest) { *largest = -CUDART_INF_F; }

__global__ void find(const float* values, float* largest, int n) {
  float own = -CUDART_INF_F;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    if (values[i] > own) own = values[i];
  raise(largest, own);
}

void histogram_and_maximum(const unsigned char* bytes, unsigned int* bins, int byte_count, const float* values,
                           float* largest, int value_count) {
  if (byte_count > 0) {
    cudaMemset(bins, 0, 256 * sizeof(unsigned int));
    count<<<(byte_count + 4095) / 4096, 256>>>(bytes, bins, byte_count);
  }
  if (value_count > 0) {
    start<<<1, 1>>>(largest);
    find<<<(value_count + 4095) / 4096, 256>>>(values, largest, value_count);
  }
}
