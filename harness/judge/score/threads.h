// How many threads a launch has, and how many of them take part in its work.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "judge/score/number.h"
#include "protocol/measurement.h"

namespace simtlab {

inline constexpr double warp = 32;  ///< lanes

[[nodiscard]] inline double threads_in_block(const launch_counters& l) {
  double threads = 1;
  for (const std::uint64_t extent : l.block) threads *= number(extent);
  return threads;
}

[[nodiscard]] inline double warps_in_grid(const launch_counters& l) {
  return number(l.grid[0] * l.grid[1] * l.grid[2]) * std::ceil(threads_in_block(l) / warp);
}

/// Those of warps without a request left out: they return at once, as in a grid that is larger than there are tiles to make.
/// All of them where the backend counted no warps.
[[nodiscard]] inline double threads_at_work(const launch_counters& l) {
  double threads = number(l.times) * threads_in_block(l);
  for (const std::uint64_t extent : l.grid) threads *= number(extent);
  return l.working_warps == 0 ? threads : std::min(threads, warp * number(l.working_warps));
}

}  // namespace simtlab
