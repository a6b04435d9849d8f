// lab: 12-warp-shuffle
// expect: pass
// earns: 85..95
// Each warp leaves its sum in device memory, and a second kernel adds the sums up.
#include <cuda_runtime.h>

__device__ float part[1 << 14];
__device__ unsigned parts[1 << 14];
__device__ float warp_sum(float x) {
  for (int d = 16; d > 0; d /= 2) x += __shfl_down_sync(0xffffffff, x, d);
  return x;
}

__global__ void of_warps(const float* values, int n) {
  float own = 0;
  unsigned count = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) own += values[i], count += values[i] < 0;
  own = warp_sum(own);
  count = warp_sum(count);
  if (threadIdx.x % 32 == 0)
    part[blockIdx.x * 8 + threadIdx.x / 32] = own, parts[blockIdx.x * 8 + threadIdx.x / 32] = count;
}

__global__ void of_all(float* sum, unsigned* negatives, int count) {
  float own = 0;
  float c = 0;
  for (int i = threadIdx.x; i < count; i += 32) own += part[i], c += parts[i];
  own = warp_sum(own);
  c = warp_sum(c);
  if (threadIdx.x == 0) *sum = own, *negatives = c;
}

void sum_values(const float* values, float* sum, unsigned int* negatives, int n) {
  int blocks = min((n + 4095) / 4096, 1056);
  of_warps<<<blocks, 256>>>(values, n);
  of_all<<<1, 32>>>(sum, negatives, blocks * 8);
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
  const int first = (blockIdx.x * 256 + threadIdx.x) * 16, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float own[16], total = 0;
  for (int k = 0; k < 16; ++k) own[k] = total += first + k < n ? items[first + k] : 0.0f;
  float x = warp_scan(total);
  if (lane == 31) part[warp] = x;
  __syncthreads();
  const float before = warp_scan(lane < warp ? part[lane] : 0.0f);
  x += __shfl_sync(0xffffffff, before, 31);
  for (int k = 0; k < 16; ++k)
    if (first + k < n) prefix[first + k] = x - total + own[k];
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
  for (int k = 0; k < 16; ++k) {
    const int i = blockIdx.x * 4096 + k * 256 + threadIdx.x;
    if (blockIdx.x > 0 && i < n) prefix[i] += scratch[blockIdx.x - 1];
  }
}

void inclusive_scan(const float* items, float* prefix, int n) {
  const int blocks = (n + 4095) / 4096;
  scan_blocks<<<blocks, 256>>>(items, prefix, n);
  scan_totals<<<1, 32>>>(blocks);
  add_totals<<<blocks, 256>>>(prefix, n);
}

void sum_and_scan(const float* values, float* sum, unsigned int* negatives, int value_count, const float* items,
                  float* prefix, int item_count) {
  if (value_count > 0) sum_values(values, sum, negatives, value_count);
  if (item_count > 0) inclusive_scan(items, prefix, item_count);
}
