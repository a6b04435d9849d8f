// Launches that a report tells in one: a kernel that steps through time is launched many times in the same way.
#pragma once

#include <vector>

#include "protocol/measurement.h"

namespace simtlab {

/// The launches of one kernel and configuration in one, where the first of them stands. `times` and all totals are sums; their
/// accesses are left out.
[[nodiscard]] std::vector<launch_counters> folded_launches(const std::vector<launch_counters>&);

}  // namespace simtlab
