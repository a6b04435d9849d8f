// The second bound of a criterion: what it would measure if all memory counted that the entry's work touches.
//
// A criterion speaks of an argument. A kernel that works on a copy of it, or that hides its cost among accesses nobody needs,
// leaves the argument's own counters clean. So each metric has a second reading:
//   - reads of an array that holds the argument's bytes count like reads of the argument, and writes of an array whose bytes
//     reach it like writes of it (argument_accesses.h);
//   - what a metric divides by is the model's, not the submission's, so that accesses that cost nothing change nothing
//     (whole_value.h);
//   - and the work must be there: kernels that ask for half of an argument's bytes earn half (coverage.h);
//   - and it must be done side by side: what one lane of each request, or one warp, does alone earns its share (side_by_side.h);
//   - and what larger blocks save is no work of threads (thread_work.h).
// A criterion earns the smaller fraction of the two readings.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "judge/score/array_flow.h"
#include "judge/score/criteria.h"

namespace simtlab {

struct whole_reading {
  std::optional<double> value;        ///< nothing: the metric has no second bound here
  double covered = 1;                 ///< share of the work that is there
  std::string missing;                ///< what of it is not; empty: nothing
  std::vector<std::string> through;   ///< arrays of the program's own that count
  std::optional<source_place> where;  ///< the line of these that costs most
};

[[nodiscard]] whole_reading read_whole_work(const criterion&, const std::vector<criterion>& all, const criterion_input&,
                                            const array_flow&);

}  // namespace simtlab
