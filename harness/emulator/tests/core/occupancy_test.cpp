// Occupancy: expectations are worked out by hand from the rule in core/occupancy.h, measured on a GPU
// (solutions/measured/occupancy-*.csv), or the CUDA Toolkit's own where it is installed (cuda_occupancy.h, of host code alone).
#include "core/occupancy.h"

#include <doctest/doctest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#ifdef SIMTLAB_TOOLKIT_OCCUPANCY
#include <cuda_occupancy.h>
#endif

using namespace simtlab::emulator;

namespace {

occupancy on(const char* gpu, const block_needs& needs) {
  const gpu_model* model = find_gpu(gpu);
  REQUIRE(model != nullptr);
  return occupancy_of(*model, needs);
}

}  // namespace

TEST_CASE("claim 15: two 16x16 float tiles: 8 blocks by shared memory, 6 by threads; two 32x32: 2 and 1") {
  const occupancy small = on("lecture", {.threads = 256, .static_shared = 2 * 16 * 16 * 4});
  CHECK(small.by_shared_memory == 8);  // 16 KB / 2 KB
  CHECK(small.by_warps == 6);          // 1,536 / 256
  CHECK(small.blocks == 6);
  CHECK(small.limited_by == occupancy_limit::warps);
  const occupancy large = on("lecture", {.threads = 1024, .static_shared = 2 * 32 * 32 * 4});
  CHECK(large.by_shared_memory == 2);  // 16 KB / 8 KB
  CHECK(large.by_warps == 1);          // 1,536 / 1,024
  CHECK(large.blocks == 1);
}

TEST_CASE("small blocks are limited by their number, large ones by threads") {
  const occupancy small = on("a100", {.threads = 32});
  CHECK(small.blocks == 32);
  CHECK(small.warps == 32);
  CHECK(small.most_warps == 64);
  CHECK(small.limited_by == occupancy_limit::blocks);
  CHECK(on("a100", {.threads = 1000}).warps == 64);  // 32 warps a block, 2 blocks
  CHECK(on("t4", {.threads = 1024}).blocks == 1);
  CHECK(on("a100", {.threads = 1025}).blocks == 0);
}

TEST_CASE("shared memory: reserved bytes and granularity count") {
  // 48 KiB + 1 KiB: 164 / 49 = 3.3; without the reserved KiB it would be 3.4, with 40 KiB: 164 / 41 = 4.
  CHECK(on("a100", {.threads = 128, .dynamic_shared = 48 * 1024}).blocks == 3);
  CHECK(on("a100", {.threads = 128, .static_shared = 40 * 1024}).blocks == 4);
  CHECK(on("a100", {.threads = 128, .static_shared = 40 * 1024 + 1}).blocks == 3);
  CHECK(on("v100", {.threads = 128, .static_shared = 24 * 1024}).blocks == 4);      // 96 / 24, nothing reserved
  CHECK(on("v100", {.threads = 128, .static_shared = 24 * 1024 + 1}).blocks == 3);  // 24.25 KiB
  CHECK(on("a100", {.threads = 32, .dynamic_shared = 164 * 1024}).blocks == 0);     // more than a block may have
}

TEST_CASE("registers: whole warps in quarters of the multiprocessor") {
  // 64 x 32 = 2,048 a warp, 16,384 a quarter: 8 warps in each, 32 in all, 4 blocks of 8 warps.
  CHECK(on("a100", {.threads = 256, .registers = 64}).blocks == 4);
  // 65 x 32 = 2,080, rounded up to 2,304: 7 warps in each quarter, 28 in all, 3 blocks of 8.
  const occupancy one_more = on("a100", {.threads = 256, .registers = 65});
  CHECK(one_more.blocks == 3);
  CHECK(one_more.limited_by == occupancy_limit::registers);
  CHECK(on("a100", {.threads = 1024, .registers = 65}).blocks == 0);
  CHECK(on("a100", {.threads = 256}).by_registers == occupancy::unlimited);
}

TEST_CASE("models are found by their key") {
  CHECK(find_gpu("abacus") == nullptr);
  CHECK(gpu_models().front().key == "simtlab");
}

TEST_CASE("what fits is what cudaOccupancyMaxActiveBlocksPerMultiprocessor said on GPUs") {
  int files = 0;
  for (const auto& file : std::filesystem::directory_iterator(SIMTLAB_MEASURED)) {
    const std::string name = file.path().stem();
    if (name.rfind("occupancy-", 0) != 0 || file.path().extension() != ".csv") continue;
    ++files;
    std::ifstream rows(file.path());
    int compared = 0, different = 0;
    for (std::string row; std::getline(rows, row);) {
      unsigned registers = 0, static_shared = 0, threads = 0, dynamic_shared = 0, blocks = 0;
      if (std::sscanf(row.c_str(), "%u,%u,%u,%u,%u", &registers, &static_shared, &threads, &dynamic_shared, &blocks) !=
          5)
        continue;
      ++compared;
      const block_needs needs{threads, static_shared, dynamic_shared, registers};
      if (on(name.substr(10).c_str(), needs).blocks == blocks) continue;
      ++different;
      INFO(name << ": " << row);
      CHECK(on(name.substr(10).c_str(), needs).blocks == blocks);
    }
    CHECK(compared >= 500);
    CHECK(different == 0);
  }
  CHECK(files >= 1);
}

#ifdef SIMTLAB_TOOLKIT_OCCUPANCY
TEST_CASE("what fits is what the CUDA Toolkit's calculator says, on every model") {
  for (const gpu_model& gpu : gpu_models()) {
    if (gpu.major < 5) continue;  // older ones are unknown there
    cudaOccDeviceProp properties;
    properties.computeMajor = gpu.major, properties.computeMinor = gpu.minor;
    properties.maxThreadsPerBlock = 1024, properties.warpSize = 32, properties.numSms = gpu.multiprocessors;
    properties.maxThreadsPerMultiprocessor = gpu.threads_per_multiprocessor;
    properties.regsPerBlock = properties.regsPerMultiprocessor = gpu.registers_per_multiprocessor;
    properties.sharedMemPerBlock = gpu.shared_per_block;
    properties.sharedMemPerMultiprocessor = gpu.shared_per_multiprocessor;
    properties.sharedMemPerBlockOptin = gpu.shared_per_block_optin;
    properties.reservedSharedMemPerBlock = gpu.shared_reserved;
    cudaOccDeviceState state;
    state.carveoutConfig = 100;
    int compared = 0;
    for (unsigned registers = 0; registers <= 255; registers += 15)
      for (unsigned threads = 1; threads <= 1024; threads += 31)
        for (std::size_t shared = 0; shared <= gpu.shared_per_block_optin; shared += 5003) {
          cudaOccFuncAttributes attributes;
          attributes.maxThreadsPerBlock = 1024, attributes.numRegs = static_cast<int>(registers);
          attributes.sharedSizeBytes = 0, attributes.partitionedGCConfig = PARTITIONED_GC_OFF;
          attributes.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN, attributes.numBlockBarriers = 1;
          attributes.maxDynamicSharedSizeBytes = gpu.shared_per_block_optin;
          cudaOccResult result{};
          REQUIRE(cudaOccMaxActiveBlocksPerMultiprocessor(&result, &properties, &attributes, &state,
                                                          static_cast<int>(threads), shared) == CUDA_OCC_SUCCESS);
          const unsigned ours = occupancy_of(gpu, {threads, 0, shared, registers}).blocks;
          ++compared;
          if (ours == static_cast<unsigned>(result.activeBlocksPerMultiprocessor)) continue;
          INFO(gpu.key << ": " << registers << " registers, " << threads << " threads, " << shared << " bytes");
          CHECK(ours == static_cast<unsigned>(result.activeBlocksPerMultiprocessor));
        }
    CHECK(compared >= 500);
  }
}
#endif
