// `make profile CSV=ncu`: the emulator's counters in the form of `ncu --csv --page raw`, for tools that read such pages.
#pragma once

#include <string>
#include <vector>

#include "protocol/measurement.h"

namespace simtlab {

/// A line of names, a line of units, then a line per kernel and configuration, whose launches are added up. All values are quoted, with
/// commas at thousands, as ncu's are. Atomic operations stand under `_op_atom`: the emulator does not know which ones a GPU's compiler
/// makes reductions. What is not modelled has no column. launches_of_nsight (gpu/nsight_report.h) reads it.
[[nodiscard]] std::string nsight_csv(const std::vector<launch_counters>&);

}  // namespace simtlab
