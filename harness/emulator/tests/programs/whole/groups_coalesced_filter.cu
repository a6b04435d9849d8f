// groups_coalesced_filter.cu
// Warp-aggregated atomics with cooperative groups.  Threads that pass a predicate
// meet in cg::coalesced_threads(); the first of them reserves room in the output
// for the whole group, so one atomic serves up to 32 threads.  labeled_partition
// splits a group by bucket number, which gives an aggregated histogram and a
// bucket-wise compaction, and binary_partition separates odd from even values.
// The order of the output depends on scheduling, so the host sorts it first.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace cg = cooperative_groups;

static void ensure(cudaError_t code, const char* what, int line) {
  if (code == cudaSuccess) return;
  std::fprintf(stderr, "line %d: %s failed: %s (%s)\n", line, what, cudaGetErrorName(code),
               cudaGetErrorString(code));
  std::exit(1);
}
#define ENSURE(x) ensure((x), #x, __LINE__)

constexpr int kCount = 20000;
constexpr int kBuckets = 8;
constexpr int kBlock = 256;

__host__ __device__ constexpr uint32_t scramble(uint32_t x) {
  x ^= x >> 16;
  x *= 0x7feb352dU;
  x ^= x >> 15;
  x *= 0x846ca68bU;
  x ^= x >> 16;
  return x;
}
__host__ __device__ constexpr uint32_t value_at(uint32_t i) { return scramble(i + 1u) % 10000u; }
__host__ __device__ constexpr bool wanted(uint32_t v) { return v % 3u == 0u; }
__host__ __device__ constexpr int bucket_of(uint32_t v) { return static_cast<int>((v / 7u) % kBuckets); }

__device__ unsigned aggregated_increment(unsigned* counter) {
  cg::coalesced_group active = cg::coalesced_threads();
  unsigned base = 0;
  if (active.thread_rank() == 0) base = atomicAdd(counter, static_cast<unsigned>(active.size()));
  return active.shfl(base, 0) + static_cast<unsigned>(active.thread_rank());
}

__global__ void fill(uint32_t* data, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    data[i] = value_at(static_cast<uint32_t>(i));
}

__global__ void filter(const uint32_t* __restrict__ in, int n, uint32_t* __restrict__ out, unsigned* counter) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && wanted(in[i])) out[aggregated_increment(counter)] = in[i];
}

__global__ void bucket_totals(const uint32_t* __restrict__ in, int n, unsigned* counts, unsigned* sums) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const uint32_t v = in[i];
  cg::coalesced_group active = cg::coalesced_threads();
  cg::coalesced_group same = cg::labeled_partition(active, bucket_of(v));
  const unsigned sum = cg::reduce(same, static_cast<unsigned>(v), cg::plus<unsigned>());
  if (same.thread_rank() == 0) {
    atomicAdd(&counts[bucket_of(v)], static_cast<unsigned>(same.size()));
    atomicAdd(&sums[bucket_of(v)], sum);
  }
}

__global__ void scatter_to_buckets(const uint32_t* __restrict__ in, int n, unsigned* cursor,
                                   uint32_t* __restrict__ out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const uint32_t v = in[i];
  auto same = cg::labeled_partition(cg::coalesced_threads(), bucket_of(v));
  unsigned base = 0;
  if (same.thread_rank() == 0) base = atomicAdd(&cursor[bucket_of(v)], static_cast<unsigned>(same.size()));
  base = same.shfl(base, 0);
  out[base + same.thread_rank()] = v;
}

__global__ void odd_even(const uint32_t* __restrict__ in, int n, unsigned* counts, unsigned* largest) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const uint32_t v = i < n ? in[i] : 0u;  // padding counts as an even zero
  auto half = cg::binary_partition(tile, (v & 1u) != 0u);
  const unsigned top = cg::reduce(half, static_cast<unsigned>(v), cg::greater<unsigned>());
  if (half.thread_rank() == 0) {
    atomicAdd(&counts[v & 1u], static_cast<unsigned>(half.size()));
    atomicMax(&largest[v & 1u], top);
  }
}

int main() {
  const int grid = (kCount + kBlock - 1) / kBlock;
  uint32_t *d_in = nullptr, *d_out = nullptr;
  unsigned* d_num = nullptr;  // [0] counter, [1..8] counts, [9..16] sums, [17,18] parity, [19,20] maxima
  ENSURE(cudaMalloc(&d_in, kCount * sizeof(uint32_t)));
  ENSURE(cudaMalloc(&d_out, kCount * sizeof(uint32_t)));
  ENSURE(cudaMalloc(&d_num, 21 * sizeof(unsigned)));
  ENSURE(cudaMemset(d_num, 0, 21 * sizeof(unsigned)));

  fill<<<16, kBlock>>>(d_in, kCount);
  ENSURE(cudaGetLastError());
  filter<<<grid, kBlock>>>(d_in, kCount, d_out, d_num);
  ENSURE(cudaGetLastError());
  bucket_totals<<<grid, kBlock>>>(d_in, kCount, d_num + 1, d_num + 9);
  ENSURE(cudaGetLastError());
  odd_even<<<grid, kBlock>>>(d_in, kCount, d_num + 17, d_num + 19);
  ENSURE(cudaGetLastError());
  unsigned num[21];
  ENSURE(cudaMemcpy(num, d_num, sizeof num, cudaMemcpyDeviceToHost));

  std::vector<uint32_t> all(kCount), kept, got(num[0]);
  for (int i = 0; i < kCount; ++i) all[i] = value_at(i);
  std::copy_if(all.begin(), all.end(), std::back_inserter(kept), wanted);
  std::sort(kept.begin(), kept.end());
  ENSURE(cudaMemcpy(got.data(), d_out, got.size() * sizeof(uint32_t), cudaMemcpyDeviceToHost));
  std::sort(got.begin(), got.end());
  const bool filter_ok = got == kept;
  std::printf("kept %u of %d, smallest %u, median %u, largest %u: %s\n", num[0], kCount, got.front(),
              got[got.size() / 2], got.back(), filter_ok ? "PASS" : "FAIL");

  unsigned cursor[kBuckets], start = 0;
  std::vector<std::vector<uint32_t>> ref(kBuckets);
  for (uint32_t v : all) ref[bucket_of(v)].push_back(v);
  for (int b = 0; b < kBuckets; ++b) { cursor[b] = start; start += num[1 + b]; }
  ENSURE(cudaMemcpy(d_num, cursor, sizeof cursor, cudaMemcpyHostToDevice));
  scatter_to_buckets<<<grid, kBlock>>>(d_in, kCount, d_num, d_out);
  ENSURE(cudaGetLastError());
  got.resize(kCount);
  ENSURE(cudaMemcpy(got.data(), d_out, kCount * sizeof(uint32_t), cudaMemcpyDeviceToHost));

  int bad = 0;
  for (int b = 0; b < kBuckets; ++b) {
    std::vector<uint32_t> part(got.begin() + cursor[b], got.begin() + cursor[b] + num[1 + b]);
    std::sort(part.begin(), part.end());
    std::sort(ref[b].begin(), ref[b].end());
    unsigned sum = 0;
    for (uint32_t v : ref[b]) sum += v;
    const bool ok = part == ref[b] && sum == num[9 + b];
    bad += !ok;
    std::printf("bucket %d: %4u values, sum %8u, first %u last %u: %s\n", b, num[1 + b], num[9 + b], part.front(),
                part.back(), ok ? "PASS" : "FAIL");
  }
  unsigned odd = 0, top[2] = {0, 0};
  for (uint32_t v : all) { odd += v & 1u; top[v & 1u] = std::max(top[v & 1u], static_cast<unsigned>(v)); }
  const unsigned padding = grid * kBlock - kCount;
  const bool parity_ok = num[18] == odd && num[17] - padding == kCount - odd && num[19] == top[0] && num[20] == top[1];
  std::printf("odd %u (max %u), even %u (max %u): %s\n", num[18], num[20], num[17] - padding, num[19],
              parity_ok ? "PASS" : "FAIL");
  std::printf("overall %s\n", filter_ok && bad == 0 && parity_ok ? "PASS" : "FAIL");

  ENSURE(cudaFree(d_in));
  ENSURE(cudaFree(d_out));
  ENSURE(cudaFree(d_num));
  return 0;
}
