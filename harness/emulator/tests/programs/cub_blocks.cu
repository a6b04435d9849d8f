// CUB's algorithms of blocks and warps inside of kernels, each beside a loop on the host.
#include <cub/cub.cuh>

#include <algorithm>
#include <cstdio>
#include <random>
#include <vector>

constexpr int threads = 96, items = 4, tile = threads * items, blocks = 3, count = blocks * tile - 55;

struct larger {
  __device__ int operator()(int a, int b) const { return a < b ? b : a; }
};
/// Keeps the sum of all tiles before, for scans of several tiles.
struct running_sum {
  int sum;
  __device__ int operator()(int of_tile) {
    const int before = sum;
    sum += of_tile;
    return before;
  }
};

// Loads a tile, sorts it, and stores it; behind it stand what is the same for a block.
__global__ void sort_tiles(const int *in, int *out, int *places, int n) {
  using tile_load = cub::BlockLoad<int, threads, items, cub::BLOCK_LOAD_TRANSPOSE>;
  using tile_store = cub::BlockStore<int, threads, items, cub::BLOCK_STORE_WARP_TRANSPOSE>;
  using tile_sort = cub::BlockRadixSort<int, threads, items, int>;
  __shared__ union {
    typename tile_load::TempStorage load;
    typename tile_store::TempStorage store;
    typename tile_sort::TempStorage sort;
  } shared;
  const int begin = blockIdx.x * tile, valid = min(tile, n - begin);
  int keys[items], from[items];
  tile_load(shared.load).Load(in + begin, keys, valid, 2000);
  for (int i = 0; i < items; ++i) from[i] = begin + threadIdx.x * items + i;
  __syncthreads();
  tile_sort(shared.sort).Sort(keys, from, 0, 32);
  __syncthreads();
  tile_store(shared.store).Store(out + begin, keys, valid);
  __syncthreads();
  tile_store(shared.store).Store(places + begin, from, valid);
}

// A block goes over all tiles and hands the sum on.
__global__ void scan_tiles(const int *in, int *out, int n) {
  using scan = cub::BlockScan<int, threads>;
  using load = cub::BlockLoad<int, threads, items>;
  __shared__ typename scan::TempStorage temp;
  __shared__ typename load::TempStorage load_temp;
  running_sum prefix{100};
  for (int begin = 0; begin < n; begin += tile) {
    int values[items];
    load(load_temp).Load(in + begin, values, min(tile, n - begin), 0);
    scan(temp).ExclusiveSum(values, values, prefix);
    cub::StoreDirectBlocked(threadIdx.x, out + begin, values, min(tile, n - begin));
    __syncthreads();
  }
}

__global__ void reduce_blocks(const int *in, int *sums, int *largest, int *warps, int *scans, int n) {
  using reduce = cub::BlockReduce<int, threads>;
  using warp_reduce = cub::WarpReduce<int>;
  using part_scan = cub::WarpScan<int, 8>;
  using block_scan = cub::BlockScan<int, threads>;
  __shared__ typename reduce::TempStorage temp;
  __shared__ typename warp_reduce::TempStorage warp_temp[threads / 32];
  __shared__ typename part_scan::TempStorage part_temp[threads / 8];
  __shared__ typename block_scan::TempStorage scan_temp;
  const int i = blockIdx.x * threads + threadIdx.x, value = i < n ? in[i] : 0;
  const int sum = reduce(temp).Sum(value);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
  __syncthreads();
  const int valid = min(threads, n - (int)blockIdx.x * threads);
  const int most = reduce(temp).Reduce(value, larger(), valid);
  if (threadIdx.x == 0) largest[blockIdx.x] = most;
  const int of_warp = warp_reduce(warp_temp[threadIdx.x / 32]).Sum(value);
  if (threadIdx.x % 32 == 0) warps[i / 32] = of_warp;
  int within, all, before;
  part_scan(part_temp[threadIdx.x / 8]).InclusiveSum(value, within);
  block_scan(scan_temp).ExclusiveSum(value, before, all);
  scans[i] = within * 3 + before * 5 + all * 7;
}

__global__ void count_bins(const unsigned char *in, unsigned *out) {
  using histogram = cub::BlockHistogram<unsigned char, threads, items, 64, cub::BLOCK_HISTO_ATOMIC>;
  using exchange = cub::BlockExchange<unsigned char, threads, items>;
  __shared__ typename histogram::TempStorage temp;
  __shared__ typename exchange::TempStorage exchange_temp;
  __shared__ unsigned bins[64];
  unsigned char mine[items];
  cub::LoadDirectStriped<threads>(threadIdx.x, in + blockIdx.x * tile, mine);
  exchange(exchange_temp).StripedToBlocked(mine, mine);
  histogram(temp).Histogram(mine, bins);
  __syncthreads();
  for (int i = threadIdx.x; i < 64; i += threads) atomicAdd(out + i, bins[i] + (mine[0] == in[blockIdx.x * tile + threadIdx.x * items] ? 0 : 1000));
}

int wrong = 0;
template <class T>
void compare(const char *what, const T *device, const std::vector<T> &right) {
  std::vector<T> got(right.size());
  cudaMemcpy(got.data(), device, right.size() * sizeof(T), cudaMemcpyDeviceToHost);
  int bad = 0;
  for (size_t i = 0; i < right.size(); ++i) bad += got[i] != right[i];
  printf("%s: %d of %zu wrong\n", what, bad, right.size());
  wrong += bad;
}

int main() {
  std::mt19937 random(5);
  std::vector<int> in(count);
  std::vector<unsigned char> bytes(blocks * tile);
  for (int &x : in) x = (int)(random() % 401) - 200;
  for (unsigned char &x : bytes) x = random() % 64;
  int *din, *dout, *dplaces;
  unsigned char *dbytes;
  unsigned *dbins;
  cudaMalloc(&din, count * sizeof(int));
  cudaMalloc(&dout, blocks * tile * sizeof(int));
  cudaMalloc(&dplaces, blocks * tile * sizeof(int));
  cudaMalloc(&dbytes, bytes.size());
  cudaMalloc(&dbins, 64 * sizeof(unsigned));
  cudaMemcpy(din, in.data(), count * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dbytes, bytes.data(), bytes.size(), cudaMemcpyHostToDevice);
  cudaMemset(dbins, 0, 64 * sizeof(unsigned));

  sort_tiles<<<blocks, threads>>>(din, dout, dplaces, count);
  std::vector<int> places(count), sorted(count);
  for (int i = 0; i < count; ++i) places[i] = i;
  for (int begin = 0; begin < count; begin += tile)
    std::stable_sort(places.begin() + begin, places.begin() + std::min(begin + tile, count), [&](int a, int b) { return in[a] < in[b]; });
  for (int i = 0; i < count; ++i) sorted[i] = in[places[i]];
  compare("sorted keys", dout, sorted);
  compare("sorted places", dplaces, places);

  scan_tiles<<<1, threads>>>(din, dout, count);
  std::vector<int> scanned(count);
  for (int i = 0, sum = 100; i < count; sum += in[i++]) scanned[i] = sum;
  compare("scan over tiles", dout, scanned);

  const int reducing = (count + threads - 1) / threads;
  int *dsums, *dlargest, *dwarps, *dscans;
  cudaMalloc(&dsums, reducing * sizeof(int));
  cudaMalloc(&dlargest, reducing * sizeof(int));
  cudaMalloc(&dwarps, reducing * threads / 32 * sizeof(int));
  cudaMalloc(&dscans, reducing * threads * sizeof(int));
  reduce_blocks<<<reducing, threads>>>(din, dsums, dlargest, dwarps, dscans, count);
  std::vector<int> sums(reducing), largest(reducing, INT32_MIN), warps(reducing * threads / 32), scans(reducing * threads);
  const auto at = [&](int i) { return i < count ? in[i] : 0; };
  for (int i = 0; i < reducing * threads; ++i) {
    sums[i / threads] += at(i);
    warps[i / 32] += at(i);
    if (i < count) largest[i / threads] = std::max(largest[i / threads], in[i]);
  }
  for (int i = 0; i < reducing * threads; ++i) {
    int within = 0, before = 0;
    for (int j = i / 8 * 8; j <= i; ++j) within += at(j);
    for (int j = i / threads * threads; j < i; ++j) before += at(j);
    scans[i] = within * 3 + before * 5 + sums[i / threads] * 7;
  }
  compare("sums of blocks", dsums, sums);
  compare("largest of blocks", dlargest, largest);
  compare("sums of warps", dwarps, warps);
  compare("scans", dscans, scans);

  count_bins<<<blocks, threads>>>(dbytes, dbins);
  std::vector<unsigned> bins(64);
  for (unsigned char x : bytes) ++bins[x];
  compare("histogram", dbins, bins);
  for (void *p : {(void *)din, (void *)dout, (void *)dplaces, (void *)dbytes, (void *)dbins, (void *)dsums, (void *)dlargest, (void *)dwarps, (void *)dscans}) cudaFree(p);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  return wrong != 0;
}
