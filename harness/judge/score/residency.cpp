#include "judge/score/residency.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/occupancy.h"
#include "judge/score/number.h"
#include "judge/score/threads.h"

namespace simtlab {
namespace {

double blocks_in_grid(const launch_counters& l) {
  double blocks = 1;
  for (const std::uint64_t extent : l.grid) blocks *= number(extent);
  return blocks;
}

// Warps without a request are resident and of no use.
double share_at_work(const launch_counters& l, double warps_of_block) {
  const double all = number(l.times) * blocks_in_grid(l) * warps_of_block;
  return l.working_warps == 0 || all == 0 ? 1 : std::min(1.0, number(l.working_warps) / all);
}

bool touches_global_memory(const launch_counters& l) {
  return std::ranges::any_of(l.accesses, [](const access_counters& a) { return a.space == "global"; });
}

}  // namespace

emulator::block_needs needs_of(const launch_counters& l) {
  emulator::block_needs needs;
  needs.threads = static_cast<unsigned>(threads_in_block(l));
  needs.static_shared = l.shared_bytes;
  needs.registers = static_cast<unsigned>(l.registers);
  return needs;
}

std::string occupancy_words(const emulator::gpu_model& gpu, const emulator::occupancy& fits) {
  return fmt::format("{} {} on a multiprocessor of {}, {} of {} warps, limited by {}", fits.blocks,
                     fits.blocks == 1 ? "block fits" : "blocks fit", gpu.name, fits.warps, fits.most_warps,
                     emulator::limit_name(fits.limited_by));
}

residency fewest_resident_warps(const measurements& m, std::string_view gpu) {
  const emulator::gpu_model* const model = emulator::find_gpu(gpu);
  if (model == nullptr) return {std::nullopt, fmt::format("no GPU is called {}", gpu)};
  residency fewest{std::nullopt, "no kernel touches global memory"};
  for (const launch_counters& l : m.launches) {
    if (!touches_global_memory(l)) continue;
    const emulator::occupancy fits = emulator::occupancy_of(*model, needs_of(l));
    const double of_block = fits.blocks == 0 ? 0 : number(fits.warps) / number(fits.blocks);
    const double warps = std::min(number(fits.blocks), blocks_in_grid(l)) * of_block * share_at_work(l, of_block);
    if (fewest.warps && *fewest.warps <= warps) continue;
    std::string reason = fmt::format("{}: {}", l.kernel, occupancy_words(*model, fits));
    if (blocks_in_grid(l) < number(fits.blocks))
      reason += fmt::format("; the grid has {:.0f} {}", blocks_in_grid(l), blocks_in_grid(l) == 1 ? "block" : "blocks");
    else if (share_at_work(l, of_block) < 1)
      reason += fmt::format("; {:.0f} % of the warps make a request", 100 * share_at_work(l, of_block));
    fewest = {warps, std::move(reason)};
  }
  return fewest;
}

}  // namespace simtlab
