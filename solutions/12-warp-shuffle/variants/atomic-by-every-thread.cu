// expect: correct=pass safe=pass fast=45..59
// Each thread adds what it has to the one address.
#include <cuda_runtime.h>

__global__ void sum_and_count(const float* values, float* sum, unsigned int* negatives, int n) {
  float own = 0;
  unsigned int count = 0;
  for (int first = blockIdx.x * 256; first < n; first += gridDim.x * 256) {
    const int i = first + threadIdx.x;
    const float value = i < n ? values[i] : 0.0f;
    own += value;
    count += __popc(__ballot_sync(0xffffffff, value < 0));
  }
  atomicAdd(sum, own);
  if (threadIdx.x % 32 == 0) atomicAdd(negatives, count);
}

void sum_values(const float* values, float* sum, unsigned int* negatives, int n) {
  cudaMemset(sum, 0, sizeof(float));
  cudaMemset(negatives, 0, sizeof(unsigned int));
  sum_and_count<<<min((n + 4095) / 4096, 1056), 256>>>(values, sum, negatives, n);
}

__device__ float scratch[1 << 18];

__device__ float warp_scan(float x) {
  for (int d = 1; d < 32; d *= 2) {
    float left = __shfl_up_sync(0xffffffff, x, d);
    if (threadIdx.x % 32 >= d) x += left;
  }
  return x;
}

__global__ void scan_blocks(const float* items, float* prefix, int n) {
  __shared__ float part[8];
  const int i = blockIdx.x * 256 + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float x = warp_scan(i < n ? items[i] : 0.0f);
  if (lane == 31) part[warp] = x;
  __syncthreads();
  if (warp == 0) {
    const float before = warp_scan(lane < 8 ? part[lane] : 0.0f);
    if (lane < 8) part[lane] = before;
  }
  __syncthreads();
  if (warp > 0) x += part[warp - 1];
  if (i < n) prefix[i] = x;
  if (threadIdx.x == 255) scratch[blockIdx.x] = x;
}

__global__ void scan_totals(int count) {
  float before = 0;
  for (int first = 0; first < count; first += 32) {
    const int i = first + threadIdx.x;
    const float x = warp_scan(i < count ? scratch[i] : 0.0f) + before;
    if (i < count) scratch[i] = x;
    before = __shfl_sync(0xffffffff, x, 31);
  }
}

__global__ void add_totals(float* prefix, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (blockIdx.x > 0 && i < n) prefix[i] += scratch[blockIdx.x - 1];
}

void inclusive_scan(const float* items, float* prefix, int n) {
  const int blocks = (n + 255) / 256;
  scan_blocks<<<blocks, 256>>>(items, prefix, n);
  scan_totals<<<1, 32>>>(blocks);
  add_totals<<<blocks, 256>>>(prefix, n);
}

void sum_and_scan(const float* values, float* sum, unsigned int* negatives, int value_count, const float* items,
                  float* prefix, int item_count) {
  if (value_count > 0) sum_values(values, sum, negatives, value_count);
  if (item_count > 0) inclusive_scan(items, prefix, item_count);
}
