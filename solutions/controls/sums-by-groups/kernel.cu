// lab: 12-warp-shuffle
// expect: pass
// earns: 95..100
// The model solution in the words of cooperative groups: reductions, ballots and scans of tiles instead of shuffles by hand.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

constexpr int block_size = 256, warps_per_block = block_size / 32;

__global__ void sum_and_count(const float* values, float* sum, unsigned int* negatives, int n) {
  __shared__ float sum_of_warp[warps_per_block];
  __shared__ unsigned int count_of_warp[warps_per_block];
  const cg::thread_block block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  float own = 0;
  unsigned int count = 0;
  for (long long first = blockIdx.x * block_size; first < n; first += gridDim.x * block_size) {
    const long long i = first + block.thread_rank();
    const float value = i < n ? values[i] : 0;
    own += value;
    count += __popc(warp.ballot(value < 0));
  }
  own = cg::reduce(warp, own, cg::plus<float>());
  if (warp.thread_rank() == 0) {
    sum_of_warp[warp.meta_group_rank()] = own;
    count_of_warp[warp.meta_group_rank()] = count;
  }
  block.sync();
  if (warp.meta_group_rank() > 0) return;
  const auto few = cg::tiled_partition<warps_per_block>(warp);
  if (few.meta_group_rank() > 0) return;
  own = cg::reduce(few, sum_of_warp[few.thread_rank()], cg::plus<float>());
  count = cg::reduce(few, count_of_warp[few.thread_rank()], cg::plus<unsigned int>());
  if (few.thread_rank() == 0) {
    atomicAdd(sum, own);
    atomicAdd(negatives, count);
  }
}

void sum_values(const float* values, float* sum, unsigned int* negatives, int n) {
  cudaMemset(sum, 0, sizeof *sum);
  cudaMemset(negatives, 0, sizeof *negatives);
  const int wanted = (n - 1) / 4096 + 1;
  sum_and_count<<<min(wanted, 132 * 8), block_size>>>(values, sum, negatives, n);
}

__device__ float scratch[1 << 18];

constexpr int rounds = 8;
constexpr int piece = block_size * rounds;

__global__ void sum_pieces(const float* items, int n) {
  __shared__ float sum_of_warp[warps_per_block];
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const long long start = static_cast<long long>(blockIdx.x) * piece;
  float own = 0;
  for (int round = 0; round < rounds; ++round) {
    const long long i = start + round * block_size + threadIdx.x;
    if (i < n) own += items[i];
  }
  own = cg::reduce(warp, own, cg::plus<float>());
  if (warp.thread_rank() == 0) sum_of_warp[warp.meta_group_rank()] = own;
  block.sync();
  if (warp.meta_group_rank() > 0) return;
  own = warp.thread_rank() < warps_per_block ? sum_of_warp[warp.thread_rank()] : 0;
  own = cg::reduce(warp, own, cg::plus<float>());
  if (warp.thread_rank() == 0) scratch[blockIdx.x] = own;
}

__global__ void scan_sums(int count) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  float before = 0;
  for (int first = 0; first < count; first += 32) {
    const int i = first + warp.thread_rank();
    const float own = scratch[i], scanned = cg::inclusive_scan(warp, own, cg::plus<float>());
    scratch[i] = before + (scanned - own);
    before += warp.shfl(scanned, 31);
  }
}

__global__ void scan_pieces(const float* items, float* prefix, int n) {
  __shared__ float sum_of_warp[warps_per_block];
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const int lane = warp.thread_rank(), number = warp.meta_group_rank();
  const long long start = static_cast<long long>(blockIdx.x) * piece + number * 32 * rounds;
  float scanned[rounds];
  float carry = 0;
  for (int round = 0; round < rounds; ++round) {
    const long long i = start + round * 32 + lane;
    scanned[round] = carry + cg::inclusive_scan(warp, i < n ? items[i] : 0.0f);
    carry = warp.shfl(scanned[round], 31);
  }
  if (lane == 31) sum_of_warp[number] = scanned[rounds - 1];
  cg::sync(block);
  const float left = cg::reduce(warp, lane < number ? sum_of_warp[lane] : 0.0f, cg::plus<float>());
  const float offset = scratch[blockIdx.x] + left;
  for (int round = 0; round < rounds; ++round) {
    const long long i = start + round * 32 + lane;
    if (i < n) prefix[i] = offset + scanned[round];
  }
}

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
