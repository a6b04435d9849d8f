// lab: 12-warp-shuffle
// expect: pass
// earns: 95..100
// Items come side by side and are scanned in a row: through shared memory once each way, eight a thread, whose totals are
// scanned by warps.
#include <cuda_runtime.h>

constexpr unsigned int all_lanes = 0xffffffff;
constexpr int block_size = 256;
constexpr int warps_per_block = block_size / 32;

// Part 1 ----------------------------------------------------------------------------------------------------------

// Returns to lane 0 the sum of `x` over the 32 lanes of the warp; all of them call it.
__device__ float warp_sum(float x) {
  for (int distance = 16; distance > 0; distance /= 2) x += __shfl_down_sync(all_lanes, x, distance);
  return x;
}

// Adds the values to *sum and the number of negative ones to *negatives; both start at zero.
__global__ void sum_and_count(const float* values, float* sum, unsigned int* negatives, int n) {
  // Step 1: walk through the values with the whole grid. Add in a register, and let a vote of the warp count.
  float own = 0;
  unsigned int count = 0;  // of the warp, the same in all lanes
  // The loop runs by whole warps, so that all 32 lanes come to the vote; those without a value bring a zero.
  for (long long first = blockIdx.x * block_size; first < n; first += gridDim.x * block_size) {
    const long long i = first + threadIdx.x;
    const float value = i < n ? values[i] : 0;
    own += value;
    count += __popc(__ballot_sync(all_lanes, value < 0));
  }

  // Step 2: one value a warp, then one value a block. Only the second needs shared memory.
  __shared__ float sum_of_warp[warps_per_block];
  __shared__ unsigned int count_of_warp[warps_per_block];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  own = warp_sum(own);
  if (lane == 0) {
    sum_of_warp[warp] = own;
    count_of_warp[warp] = count;
  }
  __syncthreads();
  if (warp > 0) return;
  own = warp_sum(lane < warps_per_block ? sum_of_warp[lane] : 0);
  count = lane < warps_per_block ? count_of_warp[lane] : 0;
  for (int distance = warps_per_block / 2; distance > 0; distance /= 2)
    count += __shfl_down_sync(all_lanes, count, distance);

  // Step 3: one thread adds the block's results to *sum and *negatives.
  if (lane == 0) {
    atomicAdd(sum, own);
    atomicAdd(negatives, count);
  }
}

// n is at least 1.
void sum_values(const float* values, float* sum, unsigned int* negatives, int n) {
  // Clear the results. Choose the grid: how many values should a block add before it asks for the one address?
  constexpr int values_per_block = 4096, most_blocks = 132 * 8;
  cudaMemset(sum, 0, sizeof *sum);
  cudaMemset(negatives, 0, sizeof *negatives);
  const int wanted = (n - 1) / values_per_block + 1;
  sum_and_count<<<min(wanted, most_blocks), block_size>>>(values, sum, negatives, n);
}

// Part 2 ----------------------------------------------------------------------------------------------------------

// Returns to lane t the sum of `x` over lanes 0 … t; all 32 lanes call it.
__device__ float warp_scan(float x) {
  const int lane = threadIdx.x % 32;
  for (int distance = 1; distance < 32; distance *= 2) {
    const float left = __shfl_up_sync(all_lanes, x, distance);
    if (lane >= distance) x += left;
  }
  return x;
}

// Given: device memory for what one kernel leaves to the next, one float for each 256 items of the largest test. Use it by
// name, and in kernels only: in host code the name is no device pointer.
__device__ float scratch[1 << 18];

constexpr int per_thread = 8;
constexpr int tile = block_size * per_thread;

__device__ int padded(int i) { return i + i / 32; }

// Striped to blocked and back by shared memory, threads scan their items, warps the threads' totals.
__global__ void scan_tiles(const float* items, float* prefix, int n) {
  __shared__ float exchange[tile + tile / 32];
  __shared__ float sum_of_warp[warps_per_block];
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
  const long long first = static_cast<long long>(blockIdx.x) * tile;
  for (int k = 0; k < per_thread; ++k) {
    const long long i = first + k * block_size + t;
    exchange[padded(k * block_size + t)] = i < n ? items[i] : 0;
  }
  __syncthreads();
  float own[per_thread], total = 0;
  for (int k = 0; k < per_thread; ++k) own[k] = total += exchange[padded(t * per_thread + k)];
  const float scanned = warp_scan(total);
  if (lane == 31) sum_of_warp[warp] = scanned;
  __syncthreads();
  const float left = warp_scan(lane < warp ? sum_of_warp[lane] : 0);
  const float before = __shfl_sync(all_lanes, left, 31) + scanned - total;
  for (int k = 0; k < per_thread; ++k) exchange[padded(t * per_thread + k)] = before + own[k];
  __syncthreads();
  for (int k = 0; k < per_thread; ++k) {
    const long long i = first + k * block_size + t;
    if (i < n) prefix[i] = exchange[padded(k * block_size + t)];
  }
  if (t == block_size - 1) scratch[blockIdx.x] = before + total;
}

__global__ void scan_sums(int count) {
  const int lane = threadIdx.x;
  float before = 0;
  for (int first = 0; first < count; first += 32) {
    const float own = scratch[first + lane];
    const float scanned = warp_scan(own);
    scratch[first + lane] = before + (scanned - own);
    before += __shfl_sync(all_lanes, scanned, 31);
  }
}

__global__ void add_sums(float* prefix, int n) {
  const float before = scratch[blockIdx.x];
  for (int k = 0; k < per_thread; ++k) {
    const long long i = static_cast<long long>(blockIdx.x) * tile + k * block_size + threadIdx.x;
    if (i < n) prefix[i] += before;
  }
}

void inclusive_scan(const float* items, float* prefix, int n) {
  const int blocks = (n - 1) / tile + 1;
  scan_tiles<<<blocks, block_size>>>(items, prefix, n);
  scan_sums<<<1, 32>>>(blocks);
  add_sums<<<blocks, block_size>>>(prefix, n);
}

void sum_and_scan(const float* values, float* sum, unsigned int* negatives, int value_count, const float* items,
                  float* prefix, int item_count) {
  if (value_count > 0) sum_values(values, sum, negatives, value_count);
  if (item_count > 0) inclusive_scan(items, prefix, item_count);
}
