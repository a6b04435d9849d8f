// What a metric would measure if all memory counted that the entry's work touches.
//
// What it divides by is the model's, not the submission's: an average over requests becomes the cost beyond the fewest, over the
// requests that the lab's model needs. Accesses that cost nothing then change nothing.
#pragma once

#include <optional>
#include <vector>

#include "judge/score/argument_accesses.h"
#include "judge/score/array_flow.h"
#include "judge/score/criteria.h"

namespace simtlab {

struct whole_value {
  std::optional<double> value;        ///< nothing: the metric has no second reading here
  std::optional<source_place> where;  ///< the line that costs most
};

[[nodiscard]] whole_value read_whole_value(const criterion&, const std::vector<criterion>& all, const criterion_input&,
                                           const argument_accesses&, const array_flow&);

}  // namespace simtlab
