// Groups are synchronisation, and what goes wrong with them is found: at its line, in the words of groups. What their
// functions return is in tests/programs/group_values.cu.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

#include "claims/marked_line.h"
#include "emulator.h"
#include "runtime/device_memory.h"

namespace cg = cooperative_groups;
using namespace simtlab::emulator;
using simtlab::emulator::claims::marked_line;

namespace {

struct seen {
  std::set<std::string> findings;  ///< "rule line" or "rule line-line"
  std::string message;             ///< of the last
  cudaError_t error = cudaSuccess;
  launch_report launch;

  [[nodiscard]] bool only(const char* rule, const char* one, const char* other = "") const {
    int low = marked_line(__FILE__, one), high = *other == 0 ? 0 : marked_line(__FILE__, other);
    if (high != 0 && high < low) std::swap(low, high);
    const std::string place = std::to_string(low) + (high == 0 ? "" : "-" + std::to_string(high));
    return findings == std::set<std::string>{rule + (" " + place)};
  }
};

template <class Run>
seen run(const Run& launch) {
  static_cast<void>(take_report());
  seen result;
  {
    device_memory<int> ints(4096, 1);
    launch(ints.get());
    result.error = cudaGetLastError();
    const cudaError_t of_the_kernel = cudaDeviceSynchronize();
    if (result.error == cudaSuccess) result.error = of_the_kernel;
  }
  const report r = take_report();
  for (const finding& f : r.findings) {
    int low = f.first.where.line, high = f.second.where.line;
    if (high != 0 && high < low) std::swap(low, high);
    result.findings.insert(std::string(rule_name(f.what)) + " " + std::to_string(low) +
                           (high == 0 || high == low ? "" : "-" + std::to_string(high)));
    result.message = f.message;
  }
  if (!r.launches.empty()) result.launch = r.launches.back();
  cudaDeviceReset();
  static_cast<void>(take_report());
  return result;
}

}  // namespace

template <bool Tile, bool Block, bool Poly>
__global__ void exchange(int* out) {
  __shared__ int row[128];
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<16>(block);
  const cg::thread_group any = Poly ? cg::tiled_partition(block, 16) : cg::thread_group(block);
  const int t = static_cast<int>(block.thread_rank());
  row[t] = t;  //@ stored
  if (Tile) tile.sync();
  if (Block) block.sync();
  if (Poly) any.sync();
  out[t] = row[t ^ 5];  //@ loaded by the neighbour
}

TEST_CASE("sync() of a tile, of a block and of any group orders what its threads do") {
  CHECK(run([](int* out) { exchange<true, false, false><<<2, 128>>>(out); }).findings.size() == 1);  // between blocks
  CHECK(run([](int* out) { exchange<true, false, false><<<1, 128>>>(out); }).findings.empty());
  CHECK(run([](int* out) { exchange<false, true, false><<<1, 128>>>(out); }).findings.empty());
  CHECK(run([](int* out) { exchange<false, false, true><<<1, 128>>>(out); }).findings.empty());
  CHECK(run([](int* out) {
          exchange<false, false, false><<<1, 128>>>(out);
        }).only("shared-race", "stored", "loaded by the neighbour"));
}

__global__ void exchange_between_tiles(int* out) {
  __shared__ int row[32];
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  row[threadIdx.x] = 2;  //@ stored in a tile
  tile.sync();
  out[threadIdx.x] = row[threadIdx.x ^ 8];  //@ loaded by another tile
}

TEST_CASE("a tile's sync() orders nothing between tiles") {
  CHECK(run([](int* out) {
          exchange_between_tiles<<<1, 32>>>(out);
        }).only("shared-race", "stored in a tile", "loaded by another tile"));
}

__global__ void tile_in_a_branch(int* out) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  if (threadIdx.x % 2 == 0) {
    tile.sync();  //@ half a tile
    out[threadIdx.x] = 1;
  }
  __syncthreads();  //@ the other half
}

TEST_CASE("a tile's sync() that not all of its threads come to is told at its line") {
  const seen s = run([](int* out) { tile_in_a_branch<<<1, 64>>>(out); });
  CHECK(s.only("warp-deadlock", "half a tile", "the other half"));
  CHECK(s.message.find("threads of their tile or coalesced group that do not come") != std::string::npos);
  CHECK(s.message.find("mask") == std::string::npos);
}

__global__ void reduces_in_a_branch(int* out) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  if (threadIdx.x < 20) out[threadIdx.x] = cg::reduce(tile, 1.0f, cg::plus<float>()) > 1;  //@ reduced
}

TEST_CASE("a reduction of a tile, some of whose threads have returned, takes values that are not there") {
  const seen s = run([](int* out) { reduces_in_a_branch<<<1, 32>>>(out); });
  CHECK(s.only("inactive-lane", "reduced"));
  CHECK(s.message.find("All threads of the tile or group") != std::string::npos);
}

__global__ void coalesced_in_a_branch(int* out) {
  if (threadIdx.x % 3 == 0) {
    const cg::coalesced_group here = cg::coalesced_threads();
    const int sum = cg::reduce(here, static_cast<int>(threadIdx.x), cg::plus<int>());
    if (here.thread_rank() == 0) atomicAdd(out, sum);
    here.sync();
  }
}

TEST_CASE("a group of the threads that are there may be made in any branch") {
  CHECK(run([](int* out) { coalesced_in_a_branch<<<4, 100>>>(out); }).findings.empty());
}

__global__ void group_of_others(int* out) {
  cg::coalesced_group own = cg::binary_partition(cg::tiled_partition<32>(cg::this_thread_block()), threadIdx.x < 16);
  const unsigned lanes = cg::tiled_partition<32>(cg::this_thread_block()).shfl(own._lanes(), 0);
  own = cg::coalesced_group::_of(lanes);
  out[threadIdx.x] = own.any(1);  //@ another's group
}

TEST_CASE("a group that the caller is no part of is told") {
  const seen s = run([](int* out) { group_of_others<<<1, 32>>>(out); });
  CHECK(s.findings.contains("mask-without-caller " + std::to_string(marked_line(__FILE__, "another's group"))));
}

__global__ void copies(int* ints, bool waits) {
  __shared__ int tile[256];
  const cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, tile, ints, sizeof tile);  //@ copied
  if (waits) cg::wait(block);
  ints[256 + threadIdx.x] = tile[255 - threadIdx.x];  //@ read
}

TEST_CASE("what a group copies is there behind wait(), and not before") {
  CHECK(run([](int* ints) { copies<<<1, 256>>>(ints, true); }).findings.empty());
  CHECK(run([](int* ints) { copies<<<1, 256>>>(ints, false); }).only("shared-race", "copied", "read"));
}

__global__ void sums(float* out) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const float sum = cg::reduce(tile, 1.0f, cg::plus<float>());
  const int count = cg::reduce(tile, 1, cg::plus<int>());
  if (tile.thread_rank() == 0) out[tile.meta_group_rank()] = sum + static_cast<float>(count);
}

TEST_CASE(
    "a tile's reduction makes the primitives that a GPU's does: five shuffles, or one reduction of whole numbers") {
  const seen s = run([](int* out) { sums<<<1, 64>>>(reinterpret_cast<float*>(out)); });
  CHECK(s.launch.warp_value_primitives == 2 * (5 + 1));
}

// --- The grid -------------------------------------------------------------------------------------------------------

template <bool Synchronises>
__global__ void turn_blocks(int* ints, int rounds) {
  const cg::grid_group grid = cg::this_grid();
  const int n = static_cast<int>(grid.size()), i = static_cast<int>(grid.thread_rank());
  for (int round = 0; round < rounds; ++round) {
    ints[(round + 1) % 2 * n + i] = ints[round % 2 * n + (i + static_cast<int>(blockDim.x)) % n] + 1;  //@ turned
    if (Synchronises) grid.sync();
  }
}

template <class Kernel>
cudaError_t launch_cooperative(Kernel kernel, int blocks, int threads, int* ints, int rounds) {
  void* arguments[] = {&ints, &rounds};
  return cudaLaunchCooperativeKernel(kernel, dim3(blocks), dim3(threads), arguments);
}

TEST_CASE("blocks of a cooperative launch wait for one another, and the grid's barrier orders what they do") {
  std::vector<int> last;
  const seen s = run([&](int* ints) {
    CHECK(launch_cooperative(turn_blocks<true>, 8, 64, ints, 6) == cudaSuccess);
    last.resize(512);
    cudaMemcpy(last.data(), ints, sizeof(int) * 512, cudaMemcpyDeviceToHost);
  });
  CHECK(s.findings.empty());
  CHECK(last == std::vector<int>(512, 7));
  CHECK(s.launch.barriers == 8 * 6 * 2);  // a block waits, its speaker waits for the grid, the block waits
  CHECK_FALSE(run([](int* ints) { launch_cooperative(turn_blocks<false>, 8, 64, ints, 6); }).findings.empty());
}

template <bool Synchronises>
__global__ void adds_and_reads(int* ints, int) {
  const cg::grid_group grid = cg::this_grid();
  grid.sync();
  if (threadIdx.x == 0) atomicAdd(&ints[0], 1);  //@ added
  if (Synchronises)
    grid.sync();
  else
    __syncthreads();
  ints[1 + grid.thread_rank()] = ints[0];  //@ read back
  grid.sync();
}

TEST_CASE("a block that leaves a grid's barrier late takes nothing from those that have come to the next one") {
  CHECK(run([](int* ints) { launch_cooperative(adds_and_reads<true>, 4, 64, ints, 0); }).findings.empty());
  CHECK(run([](int* ints) {
          launch_cooperative(adds_and_reads<false>, 4, 64, ints, 0);
        }).only("global-race", "added", "read back"));
}

__global__ void one_block_stays_away(int* ints, int) {
  if (blockIdx.x == 2) return;
  cg::this_grid().sync();  //@ grid without a block
  ints[blockIdx.x] = 1;
}

TEST_CASE("a grid's barrier that a block stays away from is told, as is one of a launch that is not cooperative") {
  const seen s = run([](int* ints) { launch_cooperative(one_block_stays_away, 4, 32, ints, 0); });
  CHECK(s.only("deadlock", "grid without a block"));
  CHECK(s.message.find("96 threads wait at the grid's barrier for blocks that have returned") != std::string::npos);
  const seen plain = run([](int* ints) { one_block_stays_away<<<4, 32>>>(ints, 0); });
  CHECK(plain.only("failed-assertion", "grid without a block"));
  CHECK(plain.message.find("cudaLaunchCooperativeKernel") != std::string::npos);
}

TEST_CASE("a cooperative launch has no more blocks than the GPU holds at a time") {
  int most = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&most, turn_blocks<true>, 1024, 0);
  cudaDeviceProp properties{};
  cudaGetDeviceProperties(&properties, 0);
  CHECK(properties.cooperativeLaunch == 1);
  const seen s = run([&](int* ints) {
    CHECK(launch_cooperative(turn_blocks<true>, most * properties.multiProcessorCount + 1, 1024, ints, 1) ==
          cudaErrorCooperativeLaunchTooLarge);
  });
  CHECK(s.error == cudaErrorCooperativeLaunchTooLarge);
}
