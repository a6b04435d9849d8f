// expect: correct=pass safe=pass fast=0..8
// One thread walks through all items.
#include <cuda_runtime.h>

__device__ float warp_sum(float x) {
  for (int d = 16; d > 0; d /= 2) x += __shfl_down_sync(0xffffffff, x, d);
  return x;
}

__global__ void sum_and_count(const float* values, float* sum, unsigned int* negatives, int n) {
  __shared__ float part[8];
  __shared__ unsigned int counts[8];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float own = 0;
  unsigned int count = 0;
  for (int first = blockIdx.x * 256; first < n; first += gridDim.x * 256) {
    const int i = first + threadIdx.x;
    const float value = i < n ? values[i] : 0.0f;
    own += value;
    count += __popc(__ballot_sync(0xffffffff, value < 0));
  }
  own = warp_sum(own);
  if (lane == 0) part[warp] = own, counts[warp] = count;
  __syncthreads();
  if (warp == 0) {
    own = warp_sum(lane < 8 ? part[lane] : 0.0f);
    count = lane < 8 ? counts[lane] : 0u;
    for (int d = 4; d > 0; d /= 2) count += __shfl_down_sync(0xffffffff, count, d);
    if (lane == 0) atomicAdd(sum, own), atomicAdd(negatives, count);
  }
}

void sum_values(const float* values, float* sum, unsigned int* negatives, int n) {
  cudaMemset(sum, 0, sizeof(float));
  cudaMemset(negatives, 0, sizeof(unsigned int));
  sum_and_count<<<min((n + 4095) / 4096, 1056), 256>>>(values, sum, negatives, n);
}

__global__ void scan(const float* items, float* prefix, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) prefix[i] = sum += items[i];
}

void inclusive_scan(const float* items, float* prefix, int n) { scan<<<1, 1>>>(items, prefix, n); }

void sum_and_scan(const float* values, float* sum, unsigned int* negatives, int value_count, const float* items,
                  float* prefix, int item_count) {
  if (value_count > 0) sum_values(values, sum, negatives, value_count);
  if (item_count > 0) inclusive_scan(items, prefix, item_count);
}
