// Lab 12: lanes of a warp that exchange registers: a sum with a count, and an inclusive scan.
//
// Sum and count: *sum becomes the sum of `values`, *negatives the number of values below zero.
// Scan:          prefix[i] becomes items[0] + items[1] + … + items[i].
//
// All pointers are device memory. Nobody has cleared the results: they hold garbage when you get them. Additions may
// happen in any order.
#include <cuda_runtime.h>

constexpr unsigned int all_lanes = 0xffffffff;
constexpr int block_size = 256;
constexpr int warps_per_block = block_size / 32;

// Part 1 ----------------------------------------------------------------------------------------------------------

// Returns to lane 0 the sum of `x` over the 32 lanes of the warp; all of them call it.
__device__ float warp_sum(float x) {
  //@@ your code here
  return x;
}

// Adds the values to *sum and the number of negative ones to *negatives; both start at zero.
__global__ void sum_and_count(const float* values, float* sum, unsigned int* negatives, int n) {
  // Step 1: walk through the values with the whole grid. Add in a register, and let a vote of the warp count.
  //@@ your code here

  // Step 2: one value a warp, then one value a block. Only the second needs shared memory.
  //@@ your code here

  // Step 3: one thread adds the block's results to *sum and *negatives.
  //@@ your code here
}

// n is at least 1.
void sum_values(const float* values, float* sum, unsigned int* negatives, int n) {
  // Clear the results. Choose the grid: how many values should a block add before it asks for the one address?
  //@@ your code here
}

// Part 2 ----------------------------------------------------------------------------------------------------------

// Returns to lane t the sum of `x` over lanes 0 … t; all 32 lanes call it.
__device__ float warp_scan(float x) {
  //@@ your code here
  return x;
}

// Given: device memory for what one kernel leaves to the next, one float for each 256 items of the largest test. Use it by
// name, and in kernels only: in host code the name is no device pointer.
__device__ float scratch[1 << 18];

// Each block scans a piece of its own. So the blocks' sums have to be known before the last step: more than one kernel.
//@@ your code here

// n is at least 1.
void inclusive_scan(const float* items, float* prefix, int n) {
  //@@ your code here
}

// Called by the tests. Leave it as it is: a part without elements is not called, so each can be solved alone.
void sum_and_scan(const float* values, float* sum, unsigned int* negatives, int value_count, const float* items,
                  float* prefix, int item_count) {
  if (value_count > 0) sum_values(values, sum, negatives, value_count);
  if (item_count > 0) inclusive_scan(items, prefix, item_count);
}
