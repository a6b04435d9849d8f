// What warps pay to get at values that they have not in registers.
//
// A pass is a warp's turn at memory, of at most 128 bytes. A shared request takes its wavefronts, any other one, or one for
// every four of its sectors; a value from another lane's register takes one, too. An array of a thread's own is taken for
// registers. So nobody saves passes by a change of the memory that a value comes from.
#pragma once

#include "protocol/measurement.h"

namespace simtlab {

constexpr double bytes_of_a_pass = 128;

[[nodiscard]] double memory_passes(const access_counters&);
/// Of all accesses of the launch, and of values handed from lane to lane.
[[nodiscard]] double memory_passes(const launch_counters&);

}  // namespace simtlab
