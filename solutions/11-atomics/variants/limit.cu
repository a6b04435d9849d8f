// expect: correct=pass safe=pass fast=100..100
// What is possible: faster than the library. The block's histogram has a copy for each of the 32 lanes, side by side, so that
// lane l only ever touches bank l: whatever the bytes are, all equal or all different, the 32 lanes of a warp never
// wait for one another. The copies of the block's warps are the same, so 32 warps share 32 KB. A thread has four loads of
// 16 bytes under way; the maximum is read the same way and asks for its one address once a block.
#include <cuda_runtime.h>

constexpr int bin_count = 256, lanes = 32;
constexpr int block_size = 1024, loads = 4;
constexpr int most_blocks = 132 * 2;  // as many as an H200 runs at a time

__device__ void count_word(unsigned int* mine, unsigned int word) {
#pragma unroll
  for (int shift = 0; shift < 32; shift += 8) atomicAdd(&mine[(word >> shift & 255) * lanes], 1u);
}

__device__ void count_load(unsigned int* mine, uint4 sixteen) {
  count_word(mine, sixteen.x);
  count_word(mine, sixteen.y);
  count_word(mine, sixteen.z);
  count_word(mine, sixteen.w);
}

__global__ __launch_bounds__(block_size) void count_bytes(const unsigned char* bytes, unsigned int* bins, int n) {
  __shared__ unsigned int own[bin_count * lanes];  // counter b of lane l is own[32 · b + l]
  for (int i = threadIdx.x; i < bin_count * lanes; i += block_size) own[i] = 0;
  __syncthreads();

  unsigned int* const mine = own + threadIdx.x % lanes;
  const uint4* const wide = reinterpret_cast<const uint4*>(bytes);
  const int all = n / 16, stride = gridDim.x * block_size, first = blockIdx.x * block_size + threadIdx.x;
  long long at = first;
  for (; at + (loads - 1LL) * stride < all; at += static_cast<long long>(loads) * stride) {
    uint4 sixteen[loads];
#pragma unroll
    for (int i = 0; i < loads; ++i) sixteen[i] = wide[at + static_cast<long long>(i) * stride];
#pragma unroll
    for (int i = 0; i < loads; ++i) count_load(mine, sixteen[i]);
  }
  for (; at < all; at += stride) count_load(mine, wide[at]);
  for (long long i = 16LL * all + first; i < n; i += stride) atomicAdd(&mine[bytes[i] * lanes], 1u);
  __syncthreads();

  // A thread adds up one bin's copies. Thread t begins with copy t, so that neighbouring threads read different banks.
  for (int bin = threadIdx.x; bin < bin_count; bin += block_size) {
    unsigned int count = 0;
    for (int i = 0; i < lanes; ++i) count += own[bin * lanes + (bin + i) % lanes];
    atomicAdd(&bins[bin], count);
  }
}

void histogram(const unsigned char* bytes, unsigned int* bins, int n) {
  constexpr int bytes_per_block = 16 * loads * block_size;
  cudaMemset(bins, 0, bin_count * sizeof(unsigned int));
  count_bytes<<<min((n - 1) / bytes_per_block + 1, most_blocks), block_size>>>(bytes, bins, n);
}

__device__ void atomic_max(float* address, float value) {
  int* const bits = reinterpret_cast<int*>(address);
  int seen = __float_as_int(-INFINITY);
  while (value > __int_as_float(seen)) {
    const int before = atomicCAS(bits, seen, __float_as_int(value));
    if (before == seen) break;
    seen = before;
  }
}

__global__ void start_maximum(float* largest) { *largest = -INFINITY; }

__global__ __launch_bounds__(block_size) void find_maximum(const float* values, float* largest, int n) {
  const float4* const wide = reinterpret_cast<const float4*>(values);
  const int all = n / 4, stride = gridDim.x * block_size, first = blockIdx.x * block_size + threadIdx.x;
  float own = -INFINITY;
  for (long long i = first; i < all; i += stride) {
    const float4 x = wide[i];
    own = fmaxf(own, fmaxf(fmaxf(x.x, x.y), fmaxf(x.z, x.w)));  // fmaxf leaves out what is no number
  }
  for (long long i = 4LL * all + first; i < n; i += stride) own = fmaxf(own, values[i]);

  __shared__ float of_warp[block_size / lanes];
  for (int distance = lanes / 2; distance > 0; distance /= 2)
    own = fmaxf(own, __shfl_down_sync(0xffffffff, own, distance));
  if (threadIdx.x % lanes == 0) of_warp[threadIdx.x / lanes] = own;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (const float other : of_warp) own = fmaxf(own, other);
  atomic_max(largest, own);
}

void maximum(const float* values, float* largest, int n) {
  constexpr int values_per_block = 16 * block_size;
  start_maximum<<<1, 1>>>(largest);
  find_maximum<<<min((n - 1) / values_per_block + 1, most_blocks), block_size>>>(values, largest, n);
}

void histogram_and_maximum(const unsigned char* bytes, unsigned int* bins, int byte_count, const float* values,
                           float* largest, int value_count) {
  if (byte_count > 0) histogram(bytes, bins, byte_count);
  if (value_count > 0) maximum(values, largest, value_count);
}
