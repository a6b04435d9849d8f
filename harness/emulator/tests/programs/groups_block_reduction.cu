// Sum, maximum and number of bins' members of an array: every block reduces by tiles of a warp, the tiles' results by one tile.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace cg = cooperative_groups;

#define CUDA_CHECK(call)                                                                          \
  do {                                                                                            \
    cudaError_t status = (call);                                                                  \
    if (status != cudaSuccess) {                                                                  \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status));             \
      exit(EXIT_FAILURE);                                                                         \
    }                                                                                             \
  } while (0)

constexpr int kBlockSize = 256;
constexpr int kTileSize = 32;

// By hand: each step halves the distance.
template <typename T, unsigned int Size>
__device__ T tileSum(cg::thread_block_tile<Size> tile, T value) {
  for (int offset = tile.size() / 2; offset > 0; offset /= 2) value += tile.shfl_down(value, offset);
  return value;  // of the tile's first thread
}

__global__ void sumByHand(const float *in, float *out, int n) {
  __shared__ float partial[kBlockSize / kTileSize];
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<kTileSize> tile = cg::tiled_partition<kTileSize>(block);

  float sum = 0.0f;
  for (int i = block.group_index().x * block.size() + block.thread_rank(); i < n; i += gridDim.x * block.size())
    sum += in[i];

  sum = tileSum(tile, sum);
  if (tile.thread_rank() == 0) partial[tile.meta_group_rank()] = sum;
  block.sync();

  if (tile.meta_group_rank() == 0) {
    sum = tile.thread_rank() < tile.meta_group_size() ? partial[tile.thread_rank()] : 0.0f;
    sum = tileSum(tile, sum);
    if (tile.thread_rank() == 0) out[block.group_index().x] = sum;
  }
}

struct Extremes {
  float low, high;
  int where;  // of the highest
};

struct Wider {
  __device__ Extremes operator()(const Extremes &a, const Extremes &b) const {
    Extremes r;
    r.low = fminf(a.low, b.low);
    const bool first = a.high > b.high || (a.high == b.high && a.where < b.where);
    r.high = first ? a.high : b.high;
    r.where = first ? a.where : b.where;
    return r;
  }
};

__global__ void findExtremes(const float *in, Extremes *out, int n) {
  __shared__ Extremes partial[kBlockSize / kTileSize];
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<kTileSize>(block);

  Extremes own = {INFINITY, -INFINITY, n};
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    own = Wider()(own, Extremes{in[i], in[i], i});
  own = cg::reduce(tile, own, Wider());
  if (tile.thread_rank() == 0) partial[tile.meta_group_rank()] = own;
  cg::sync(block);

  if (tile.meta_group_rank() == 0) {
    const auto few = cg::tiled_partition<kBlockSize / kTileSize>(tile);
    if (few.meta_group_rank() == 0) {
      own = cg::reduce(few, partial[few.thread_rank()], Wider());
      cg::invoke_one(few, [&] { out[blockIdx.x] = own; });
    }
  }
}

__global__ void countAbove(const float *in, int *count, float bound, int n) {
  const auto tile = cg::tiled_partition<kTileSize>(cg::this_thread_block());
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int above = i < n && in[i] > bound;
  const int ofTile = cg::reduce(tile, above, cg::plus<int>());
  if (tile.thread_rank() == 0 && ofTile > 0) atomicAdd(count, ofTile);
}

int main() {
  const int n = 100003, blocks = 40;
  std::vector<float> host(n);
  unsigned state = 12345;
  for (float &x : host) {
    state = state * 1664525u + 1013904223u;
    x = static_cast<float>(static_cast<int>(state >> 20)) - 2048.0f;
  }

  float *in, *sums;
  Extremes *extremes;
  int *count;
  CUDA_CHECK(cudaMalloc(&in, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&sums, blocks * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&extremes, blocks * sizeof(Extremes)));
  CUDA_CHECK(cudaMalloc(&count, sizeof(int)));
  CUDA_CHECK(cudaMemcpy(in, host.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemset(count, 0, sizeof(int)));

  sumByHand<<<blocks, kBlockSize>>>(in, sums, n);
  findExtremes<<<blocks, kBlockSize>>>(in, extremes, n);
  countAbove<<<(n + kBlockSize - 1) / kBlockSize, kBlockSize>>>(in, count, 1000.0f, n);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());

  std::vector<float> partial(blocks);
  std::vector<Extremes> found(blocks);
  int above = 0;
  CUDA_CHECK(cudaMemcpy(partial.data(), sums, blocks * sizeof(float), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(found.data(), extremes, blocks * sizeof(Extremes), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(&above, count, sizeof(int), cudaMemcpyDeviceToHost));

  double sum = 0, expected = 0;
  for (float x : partial) sum += x;
  for (float x : host) expected += x;
  Extremes all = found[0];
  for (const Extremes &e : found) {
    all.low = std::min(all.low, e.low);
    if (e.high > all.high || (e.high == all.high && e.where < all.where)) all.high = e.high, all.where = e.where;
  }
  const auto highest = std::max_element(host.begin(), host.end());
  printf("sum %s\n", sum == expected ? "ok" : "WRONG");
  printf("lowest %s\n", all.low == *std::min_element(host.begin(), host.end()) ? "ok" : "WRONG");
  printf("highest %s\n", all.high == *highest && all.where == highest - host.begin() ? "ok" : "WRONG");
  printf("above %s\n", above == std::count_if(host.begin(), host.end(), [](float x) { return x > 1000.0f; }) ? "ok" : "WRONG");

  CUDA_CHECK(cudaFree(in));
  CUDA_CHECK(cudaFree(sums));
  CUDA_CHECK(cudaFree(extremes));
  CUDA_CHECK(cudaFree(count));
  return 0;
}
