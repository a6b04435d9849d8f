// What every function of cooperative groups returns, thread by thread, beside what the CUDA C++ Programming Guide says.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

struct pair { double a; int b; };
struct wide { int word[8]; };
struct odd { char c[3]; };

constexpr int slots = 40, threads = 64;  // of a block of 8 x 4 x 2
struct results {
  long long of[slots][threads];
};

__global__ void of_block(results *r) {
  cg::thread_block b = cg::this_thread_block();
  const int t = b.thread_rank();
  const cg::thread_group g = b;
  if (b.group_index().y == 2) {
    int s = 0;
    r->of[s++][t] = b.thread_rank();
    r->of[s++][t] = b.size() + 1000 * b.num_threads();
    r->of[s++][t] = b.group_index().x + 10 * b.group_index().y;
    r->of[s++][t] = b.thread_index().x + 10 * b.thread_index().y + 100 * b.thread_index().z;
    r->of[s++][t] = b.dim_threads().x + 10 * b.group_dim().y + 100 * cg::thread_block::dim_threads().z;
    r->of[s++][t] = g.thread_rank() + 1000 * g.size();
    const cg::grid_group all = cg::this_grid();
    r->of[s++][t] = all.thread_rank() + 1000 * all.size();
    r->of[s++][t] = all.block_rank() + 10 * all.num_blocks() + 100 * all.dim_blocks().y + 1000 * all.is_valid();
    r->of[s++][t] = cg::thread_rank(g) + cg::group_size(b);
  }
  auto token = b.barrier_arrive();
  b.barrier_wait(static_cast<decltype(token) &&>(token));
  cg::sync(g);
}

template <class Tile>
__device__ void fill(results *r, const Tile &tile, int t) {
  int s = 0, equal = 0;
  r->of[s++][t] = tile.thread_rank();
  r->of[s++][t] = tile.size();
  r->of[s++][t] = tile.meta_group_rank();
  r->of[s++][t] = tile.meta_group_size();
  r->of[s++][t] = tile.shfl(t, 1);
  r->of[s++][t] = tile.shfl_down(t, 1);
  r->of[s++][t] = tile.shfl_up(t, 1);
  r->of[s++][t] = tile.any(t % 32 == 5);
  r->of[s++][t] = tile.all(t >= 4);
  r->of[s++][t] = tile.ballot(t % 3 == 0);
  r->of[s++][t] = tile.match_any(t / 2 % 2);
  r->of[s++][t] = tile.match_all(t / 8, equal) + 0LL;
  r->of[s++][t] = equal;
  r->of[s++][t] = tile.shfl(pair{t * 0.5, t}, 0).b + static_cast<long long>(2 * tile.shfl(pair{t * 0.5, t}, 1).a);
  r->of[s++][t] = tile.shfl_up(wide{{t, 0, 0, 0, 0, 0, 0, 7 * t}}, 1).word[7];
  r->of[s++][t] = tile.shfl(odd{{'a', 'b', static_cast<char>(t)}}, 1).c[2];
  r->of[s++][t] = cg::reduce(tile, t, cg::plus<int>());
  r->of[s++][t] = cg::reduce(tile, static_cast<unsigned>(t ^ 21), cg::less<unsigned>());
  r->of[s++][t] = cg::reduce(tile, -t, cg::greater<int>());
  r->of[s++][t] = cg::reduce(tile, t | 64, cg::bit_and<int>()) + cg::reduce(tile, 1LL << t % 40, cg::bit_or<long long>());
  r->of[s++][t] = cg::reduce(tile, t, cg::bit_xor<int>());
  r->of[s++][t] = static_cast<long long>(16 * cg::reduce(tile, t * 0.25f, cg::plus<float>()));
  r->of[s++][t] = cg::reduce(tile, t + 1.0, [](double a, double b) { return a > b ? a : b; });
  r->of[s++][t] = cg::inclusive_scan(tile, t);
  r->of[s++][t] = cg::exclusive_scan(tile, t);
  r->of[s++][t] = cg::inclusive_scan(tile, t ^ 5, cg::greater<int>());
  r->of[s++][t] = static_cast<long long>(cg::exclusive_scan(tile, t * 1.0f, cg::plus<float>()));
  r->of[s++][t] = cg::labeled_partition(tile, t % 3).thread_rank() + 100 * cg::labeled_partition(tile, t % 3).size() +
                  10000 * cg::labeled_partition(tile, t % 3).meta_group_rank() +
                  100000 * cg::labeled_partition(tile, t % 3).meta_group_size();
  r->of[s++][t] = cg::binary_partition(tile, t % 4 == 0).size() + 100 * cg::binary_partition(tile, t % 4 == 0).meta_group_rank();
  r->of[s++][t] = cg::invoke_one_broadcast(tile, [=] { return 3 * t; });
  tile.sync();
}

template <int Size>
__global__ void of_tile(results *r) {
  auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  fill(r, tile, cg::this_thread_block().thread_rank());
}
__global__ void of_nested_tile(results *r) {
  auto tile = cg::tiled_partition<4>(cg::tiled_partition<16>(cg::this_thread_block()));
  fill(r, cg::thread_block_tile<4>(tile), cg::this_thread_block().thread_rank());
}
__global__ void of_some(results *r, unsigned lanes) {
  const int t = cg::this_thread_block().thread_rank();
  if (lanes >> t % 32 & 1) fill(r, cg::coalesced_threads(), t);
}

__global__ void of_parts(results *r) {
  cg::thread_block b = cg::this_thread_block();
  const int t = b.thread_rank();
  cg::thread_group eight = cg::tiled_partition(b, 8), two = cg::tiled_partition(eight, 2);
  r->of[0][t] = eight.thread_rank() + 10 * eight.size() + 1000 * two.thread_rank() + 10000 * two.size();
  if (t % 2 == 0) {
    const cg::coalesced_group even = cg::coalesced_threads(), part = cg::tiled_partition(even, 4);
    r->of[1][t] = part.thread_rank() + 10 * part.size() + 100 * part.meta_group_rank() + 1000 * part.meta_group_size();
    r->of[2][t] = part.shfl(t, 3);
  }
  r->of[3][t] = cg::tiled_partition<8>(b).shfl_xor(t, 3) + 100 * cg::this_thread().size();
  __shared__ int row[threads];
  b.sync();
  cg::memcpy_async(b, row, reinterpret_cast<const int *>(r->of[0]), sizeof(row));
  cg::wait(b);
  r->of[4][t] = row[t ^ 1];
}

int wrong = 0, right = 0;
void expect(const char *what, int slot, int thread, long long is, long long should) {
  if (is == should) ++right;
  else if (++wrong < 20) std::printf("%s, value %d of thread %d: %lld, not %lld\n", what, slot, thread, is, should);
}

/// The groups as lists of threads, and what each function should say of them.
void expect_of(const char *what, const results &r, const std::vector<std::vector<int>> &groups, const std::vector<int> &meta, int metas) {
  for (size_t n = 0; n < groups.size(); ++n) {
    const std::vector<int> &g = groups[n];
    const int size = static_cast<int>(g.size());
    int any = 0, all = 1, ballot = 0, sum = 0, least = 1 << 20, largest = -(1 << 20), both = ~0, bits_xor = 0, equal = 1;
    long long bits = 0;
    double highest = 0;
    for (int i = 0; i < size; ++i) {
      const int t = g[i];
      any |= t % 32 == 5, all &= t >= 4, ballot |= (t % 3 == 0) << i, sum += t, bits_xor ^= t;
      least = std::min(least, t ^ 21), largest = std::max(largest, -t), both &= t | 64, bits |= 1LL << t % 40;
      equal &= t / 8 == g[0] / 8, highest = std::max(highest, t + 1.0);
    }
    const long long full = size == 32 ? 0xffffffffLL : (1LL << size) - 1;
    const int from = size > 1 ? g[1] : g[0];
    for (int i = 0; i < size; ++i) {
      const int t = g[i];
      int s = 0, same = 0, scan = 0, top = -1, label_rank = 0, label_size = 0, label_meta = 0, labels[3] = {}, yes = 0;
      for (int j = 0; j < size; ++j) same |= (g[j] / 2 % 2 == t / 2 % 2) << j;
      for (int j = 0; j <= i; ++j) scan += g[j], top = std::max(top, g[j] ^ 5);
      int kinds = 0;
      for (int j = 0; j < size; ++j) {
        if (labels[g[j] % 3]++ == 0) ++kinds;
        label_rank += j < i && g[j] % 3 == t % 3, label_size += g[j] % 3 == t % 3, yes += g[j] % 4 == 0;
      }
      for (int label = 0, first[3] = {size, size, size}; label < 3; ++label) {
        for (int j = size; j-- > 0;) if (g[j] % 3 == label) first[label] = j;
        int own = size;
        for (int j = size; j-- > 0;) if (g[j] % 3 == t % 3) own = j;
        label_meta += first[label] < own;
      }
      const bool parts = yes != 0 && yes != size;
      const int left = i > 0 ? g[i - 1] : t;
      const long long values[] = {i, size, meta[n], metas, from, i + 1 < size ? g[i + 1] : t, left, any, all,
        static_cast<long long>(static_cast<unsigned>(ballot)), static_cast<long long>(static_cast<unsigned>(same)), equal ? full : 0, equal,
        g[0] + from, 7 * left, static_cast<char>(from), sum, least, largest, both + bits, bits_xor, 4LL * sum,
        static_cast<long long>(highest), scan, scan - t, top, scan - t,
        label_rank + 100 * label_size + 10000 * label_meta + 100000 * kinds,
        (t % 4 == 0 ? yes : size - yes) + 100 * (parts && t % 4 == 0), 3 * g[0]};
      for (const long long v : values) expect(what, s, t, r.of[s][t], v), ++s;
    }
  }
}

int main() {
  results *r = nullptr;
  cudaMallocManaged(&r, sizeof *r);
  const dim3 shape(8, 4, 2);
  of_block<<<dim3(1, 3), shape>>>(r);
  cudaDeviceSynchronize();
  for (int t = 0; t < threads; ++t) {
    expect("block", 0, t, r->of[0][t], t), expect("block", 1, t, r->of[1][t], 64064);
    expect("block", 3, t, r->of[3][t], t % 8 + 10 * (t / 8 % 4) + 100 * (t / 32)), expect("block", 4, t, r->of[4][t], 248);
    expect("block", 5, t, r->of[5][t], t + 64000), expect("block", 8, t, r->of[8][t], t + 64);
    expect("block", 2, t, r->of[2][t], 20), expect("grid", 6, t, r->of[6][t], 128 + t + 192000);
    expect("grid", 7, t, r->of[7][t], 332);
  }
  for (const int size : {1, 2, 4, 8, 16, 32}) {
    size == 1 ? of_tile<1><<<1, shape>>>(r) : size == 2 ? of_tile<2><<<1, shape>>>(r) : size == 4 ? of_tile<4><<<1, shape>>>(r)
    : size == 8 ? of_tile<8><<<1, shape>>>(r) : size == 16 ? of_tile<16><<<1, shape>>>(r) : of_tile<32><<<1, shape>>>(r);
    cudaDeviceSynchronize();
    std::vector<std::vector<int>> groups(threads / size);
    std::vector<int> meta;
    for (int t = 0; t < threads; ++t) groups[t / size].push_back(t);
    for (int n = 0; n < threads / size; ++n) meta.push_back(n);
    if (size > 1) expect_of("tile", *r, groups, meta, threads / size);
  }
  of_nested_tile<<<1, shape>>>(r);
  cudaDeviceSynchronize();
  std::vector<std::vector<int>> fours(16);
  std::vector<int> meta;
  for (int t = 0; t < threads; ++t) fours[t / 4].push_back(t);
  for (int n = 0; n < 16; ++n) meta.push_back(n % 4);
  expect_of("tile of a tile", *r, fours, meta, 4);
  for (const unsigned lanes : {0xffffffffu, 0x5a5a5a5au, 0x80000001u, 0x0007fff8u, 0x33333333u}) {
    of_some<<<1, shape>>>(r, lanes);
    cudaDeviceSynchronize();
    std::vector<std::vector<int>> some(2);
    for (int t = 0; t < threads; ++t)
      if (lanes >> t % 32 & 1) some[t / 32].push_back(t);
    expect_of("coalesced", *r, some, {0, 0}, 1);
  }
  of_parts<<<1, shape>>>(r);
  cudaDeviceSynchronize();
  for (int t = 0; t < threads; ++t) {
    expect("parts", 0, t, r->of[0][t], t % 8 + 80 + 1000 * (t % 2) + 20000);
    if (t % 2 == 0) {
      expect("parts", 1, t, r->of[1][t], t / 2 % 4 + 40 + 100 * (t % 32 / 8) + 4000);
      expect("parts", 2, t, r->of[2][t], t / 8 * 8 + 6);
    }
    expect("parts", 3, t, r->of[3][t], (t ^ 3) + 100);
    expect("parts", 4, t, r->of[4][t], t % 2 == 0 ? 0 : r->of[0][t / 2]);
  }
  std::printf("%s: %d values\n", wrong == 0 ? "right" : "wrong", right);
  cudaFree(r);
}
