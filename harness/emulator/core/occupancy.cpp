#include "core/occupancy.h"

#include <algorithm>

#include "core/types.h"

namespace simtlab::emulator {
namespace {

constexpr unsigned warp = 32, largest_block = 1024, register_granularity = 256;

unsigned blocks_by_registers(const gpu_model& gpu, unsigned registers, unsigned warps) {
  if (registers == 0) return occupancy::unlimited;
  const unsigned partitions = gpu.major < 3 || (gpu.major == 6 && gpu.minor == 0) ? 2 : 4;
  const auto all = static_cast<unsigned>(gpu.registers_per_multiprocessor);
  const auto of_a_warp = static_cast<unsigned>(rounded_up(std::size_t{registers} * warp, register_granularity));
  // The hardware checks a block as if every partition took the same number of its warps.
  const unsigned most = gpu.major >= 7 ? 256 : 255;
  if (registers > most || of_a_warp * rounded_up(warps, partitions) > std::min(all, 65536U)) return 0;
  return all / partitions / of_a_warp * partitions / warps;
}

unsigned blocks_by_shared_memory(const gpu_model& gpu, const block_needs& needs) {
  const std::size_t asked = needs.static_shared + needs.dynamic_shared + gpu.shared_reserved;
  const std::size_t taken = rounded_up(asked, gpu.major >= 8 ? 128 : 256);
  if (taken == 0) return occupancy::unlimited;
  if (taken > gpu.shared_per_block_optin + gpu.shared_reserved) return 0;
  return static_cast<unsigned>(gpu.shared_per_multiprocessor / taken);
}

}  // namespace

occupancy occupancy_of(const gpu_model& gpu, const block_needs& needs) {
  const unsigned warps = (std::max(1U, needs.threads) + warp - 1) / warp;
  occupancy o;
  o.most_warps = static_cast<unsigned>(gpu.threads_per_multiprocessor) / warp;
  o.by_blocks = static_cast<unsigned>(gpu.blocks_per_multiprocessor);
  o.by_warps = needs.threads > largest_block ? 0 : o.most_warps / warps;
  o.by_shared_memory = blocks_by_shared_memory(gpu, needs);
  o.by_registers = blocks_by_registers(gpu, needs.registers, warps);
  o.blocks = o.by_warps;
  o.limited_by = occupancy_limit::warps;
  const auto limit = [&](unsigned blocks, occupancy_limit by) {
    if (blocks >= o.blocks) return;
    o.blocks = blocks;
    o.limited_by = by;
  };
  limit(o.by_shared_memory, occupancy_limit::shared_memory);
  limit(o.by_registers, occupancy_limit::registers);
  limit(o.by_blocks, occupancy_limit::blocks);
  o.warps = o.blocks * warps;
  return o;
}

const char* limit_name(occupancy_limit l) {
  switch (l) {
    case occupancy_limit::blocks:
      return "blocks";
    case occupancy_limit::warps:
      return "threads";
    case occupancy_limit::shared_memory:
      return "shared memory";
    default:
      return "registers";
  }
}

}  // namespace simtlab::emulator
