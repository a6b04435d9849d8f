// The counters of a real GPU: the benchmark's case once more, under Nsight Compute.
#pragma once

#include <string>
#include <vector>

#include "judge/case_runner.h"

namespace simtlab {

struct hardware_counters {
  std::vector<launch_counters> launches;
  std::string problem;  ///< why there are none, with what to do; empty when they were counted
};

/// Runs `benchmark` under options.counters, Nsight Compute's `ncu`. `outcome`, unless null, becomes how the case ended, with
/// the counters in it. Never throws for what the program or the tool does.
[[nodiscard]] hardware_counters count_on_hardware(const std::string& lab_name, const lab&, const judge_options&,
                                                  const test_case& benchmark, case_outcome* outcome = nullptr);

}  // namespace simtlab
