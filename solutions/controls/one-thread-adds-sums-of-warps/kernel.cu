// lab: 12-warp-shuffle
// expect: pass
// earns: 92..96
// One thread of a block adds up what its eight warps have left, in a loop.
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
  if (threadIdx.x == 0) {
    own = 0;
    count = 0;
    for (int w = 0; w < warps_per_block; ++w) {
      own += sum_of_warp[w];
      count += count_of_warp[w];
    }
  }

  // Step 3: one thread adds the block's results to *sum and *negatives.
  if (threadIdx.x == 0) {
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

// Each block scans a piece of its own. So the blocks' sums have to be known before the last step: more than one kernel.
constexpr int rounds = 8;  // elements of one thread, 32 apart
constexpr int piece = block_size * rounds;

// scratch[b] becomes the sum of block b's piece of the items.
__global__ void sum_pieces(const float* items, int n) {
  __shared__ float sum_of_warp[warps_per_block];
  const long long start = static_cast<long long>(blockIdx.x) * piece;
  float own = 0;
  for (int round = 0; round < rounds; ++round) {
    const long long i = start + round * block_size + threadIdx.x;
    if (i < n) own += items[i];
  }
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  own = warp_sum(own);
  if (lane == 0) sum_of_warp[warp] = own;
  __syncthreads();
  if (warp > 0) return;
  own = warp_sum(lane < warps_per_block ? sum_of_warp[lane] : 0);
  if (lane == 0) scratch[blockIdx.x] = own;
}

// One warp: scratch[b] becomes the sum of all pieces before b. The last lane's result is what the next 32 start from. Lanes
// past `count` touch elements that nobody uses.
__global__ void scan_sums(int count) {
  const int lane = threadIdx.x;
  float before = 0;
  for (int first = 0; first < count; first += 32) {
    const int i = first + lane;
    const float own = scratch[i];
    const float scanned = warp_scan(own);
    scratch[i] = before + (scanned - own);
    before += __shfl_sync(all_lanes, scanned, 31);
  }
}

// Scans each piece and adds what stands before it.
__global__ void scan_pieces(const float* items, float* prefix, int n) {
  __shared__ float sum_of_warp[warps_per_block];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  // A warp has the 32 · rounds elements from `start` on to itself.
  const long long start = static_cast<long long>(blockIdx.x) * piece + warp * 32 * rounds;
  float scanned[rounds];
  float carry = 0;
  for (int round = 0; round < rounds; ++round) {
    const long long i = start + round * 32 + lane;
    scanned[round] = carry + warp_scan(i < n ? items[i] : 0);
    carry = __shfl_sync(all_lanes, scanned[round], 31);
  }
  if (lane == 31) sum_of_warp[warp] = scanned[rounds - 1];
  __syncthreads();
  if (threadIdx.x == 0) {
    float sum = 0;
    for (int w = 0; w < warps_per_block; ++w) {
      const float own = sum_of_warp[w];
      sum_of_warp[w] = sum;
      sum += own;
    }
  }
  __syncthreads();
  const float offset = scratch[blockIdx.x] + sum_of_warp[warp];
  for (int round = 0; round < rounds; ++round) {
    const long long i = start + round * 32 + lane;
    if (i < n) prefix[i] = offset + scanned[round];
  }
}

// n is at least 1.
void inclusive_scan(const float* items, float* prefix, int n) {
  const int blocks = (n - 1) / piece + 1;
  sum_pieces<<<blocks, block_size>>>(items, n);
  scan_sums<<<1, 32>>>(blocks);
  scan_pieces<<<blocks, block_size>>>(items, prefix, n);
}

void sum_and_scan(const float* values, float* sum, unsigned int* negatives, int value_count, const float* items,
                  float* prefix, int item_count) {
  if (value_count > 0) sum_values(values, sum, negatives, value_count);
  if (item_count > 0) inclusive_scan(items, prefix, item_count);
}
