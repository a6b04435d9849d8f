// Prefix sums of a long array in one cooperative launch: every block scans its chunk, the grid waits, one block scans the
// chunks' sums, the grid waits again, and every block adds what stands before its chunk.
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>

#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

using namespace cooperative_groups;
namespace cg = cooperative_groups;

static void check(cudaError_t error, const char *what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorName(error));
  std::exit(1);
}

template <int BlockSize>
__device__ int blockScan(thread_block block, int value, int *warpSums) {
  auto warp = tiled_partition<32>(block);
  int scanned = cg::inclusive_scan(warp, value);
  if (warp.thread_rank() == warp.size() - 1) warpSums[warp.meta_group_rank()] = scanned;
  block.sync();
  if (warp.meta_group_rank() == 0) {
    int sum = warp.thread_rank() < BlockSize / 32 ? warpSums[warp.thread_rank()] : 0;
    sum = cg::exclusive_scan(warp, sum, cg::plus<int>());
    if (warp.thread_rank() < BlockSize / 32) warpSums[warp.thread_rank()] = sum;
  }
  block.sync();
  scanned += warpSums[warp.meta_group_rank()];
  block.sync();  // warpSums may be used again
  return scanned;
}

template <int BlockSize>
__global__ void scanAll(const int *in, int *out, int *chunkSums, int n) {
  __shared__ int warpSums[BlockSize / 32];
  __shared__ int carry;
  grid_group grid = this_grid();
  thread_block block = this_thread_block();
  const int chunk = (n + grid.num_blocks() - 1) / grid.num_blocks();
  const int begin = grid.block_rank() * chunk, end = min(n, begin + chunk);

  if (block.thread_rank() == 0) carry = 0;
  block.sync();
  for (int base = begin; base < end; base += BlockSize) {
    const int i = base + block.thread_rank();
    const int value = i < end ? in[i] : 0;
    const int scanned = blockScan<BlockSize>(block, value, warpSums) + carry;
    if (i < end) out[i] = scanned;
    block.sync();
    if (block.thread_rank() == BlockSize - 1) carry = scanned;
    block.sync();
  }
  if (block.thread_rank() == 0) chunkSums[grid.block_rank()] = carry;
  grid.sync();

  if (grid.block_rank() == 0) {
    const int blocks = grid.num_blocks();
    const int sum = block.thread_rank() < blocks ? chunkSums[block.thread_rank()] : 0;
    const int scanned = blockScan<BlockSize>(block, sum, warpSums);
    if (block.thread_rank() < blocks) chunkSums[block.thread_rank()] = scanned - sum;
  }
  cg::sync(grid);

  const int before = chunkSums[grid.block_rank()];
  for (int i = begin + block.thread_rank(); i < end; i += block.size()) out[i] += before;
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 30011;
  constexpr int blockSize = 128;

  int supported = 0, multiprocessors = 0, perMultiprocessor = 0;
  check(cudaDeviceGetAttribute(&supported, cudaDevAttrCooperativeLaunch, 0), "attribute");
  if (!supported) {
    std::printf("no cooperative launches\n");
    return 0;
  }
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0), "attribute");
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perMultiprocessor, scanAll<blockSize>, blockSize, 0),
        "occupancy");
  const int blocks = std::min(blockSize, std::min(multiprocessors * perMultiprocessor, 32));

  std::vector<int> host(n), result(n), expected(n);
  for (int i = 0; i < n; ++i) host[i] = (i * 7919) % 13 - 5;
  std::partial_sum(host.begin(), host.end(), expected.begin());

  int *in = nullptr, *out = nullptr, *sums = nullptr;
  check(cudaMalloc(&in, n * sizeof(int)), "malloc");
  check(cudaMalloc(&out, n * sizeof(int)), "malloc");
  check(cudaMalloc(&sums, blocks * sizeof(int)), "malloc");
  check(cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice), "copy in");

  int count = n;
  void *arguments[] = {&in, &out, &sums, &count};
  check(cudaLaunchCooperativeKernel((void *)scanAll<blockSize>, dim3(blocks), dim3(blockSize), arguments, 0, 0),
        "launch");
  check(cudaDeviceSynchronize(), "kernel");
  check(cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost), "copy out");
  std::printf("prefix sums %s\n", result == expected ? "ok" : "WRONG");

  // More blocks than the GPU holds at a time are refused.
  const cudaError_t tooMany = cudaLaunchCooperativeKernel((void *)scanAll<blockSize>, multiprocessors * perMultiprocessor + 1,
                                                          blockSize, arguments);
  std::printf("one block too many: %s\n", cudaGetErrorName(tooMany));
  cudaGetLastError();

  check(cudaFree(in), "free");
  check(cudaFree(out), "free");
  check(cudaFree(sums), "free");
}
