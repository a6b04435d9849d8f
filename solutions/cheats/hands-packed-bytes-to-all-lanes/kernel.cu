// lab: 11-atomics
// row: 41
// expect: pass
// without-audit: pass
// caught-by: whole_work
// earns: 60..75
// else-earns: 90..100
// Eight bins a lane in registers: bytes go four to a word to all lanes of the warp by a shuffle, and each compares them
// with its bins.
#include <cuda_runtime.h>

__global__ void count(const unsigned char* bytes, unsigned int* bins, int n) {
  unsigned own[8] = {};
  const int lane = threadIdx.x;
  for (int first = blockIdx.x * 4096; first < n && first < (blockIdx.x + 1) * 4096; first += 128) {
    unsigned four = 0, there = 0;
    if (first + 4 * lane + 4 <= n) {
      four = *reinterpret_cast<const unsigned*>(bytes + first + 4 * lane);
      there = 4;
    } else {
      for (; first + 4 * lane + static_cast<int>(there) < n && there < 4; ++there)
        four |= static_cast<unsigned>(bytes[first + 4 * lane + there]) << 8 * there;
    }
    for (int k = 0; k < 32; ++k) {
      const unsigned word = __shfl_sync(0xffffffff, four, k);
      const int left = n - first - 4 * k;
      for (int b = 0; b < 4 && b < left; ++b)
        for (int j = 0; j < 8; ++j) own[j] += (word >> 8 * b & 255) == j * 32 + lane;
    }
  }
  for (int j = 0; j < 8; ++j) atomicAdd(&bins[j * 32 + lane], own[j]);
}

void histogram(const unsigned char* bytes, unsigned int* bins, int n) {
  cudaMemset(bins, 0, 1024);
  count<<<(n + 4095) / 4096, 32>>>(bytes, bins, n);
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
