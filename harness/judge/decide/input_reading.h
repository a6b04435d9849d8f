// Which reading of an input would make a wrong output right: rows taken for columns, another row length, a part left out.
// The reference itself is asked, with that input changed; so it works for every lab, and nothing is guessed that the numbers
// do not show.
#pragma once

#include <vector>

#include "judge/decide/explanation.h"
#include "judge/decide/mismatch_pattern.h"
#include "protocol/measurement.h"
#include "spec/lab_core.h"

namespace simtlab {

/// Cases beyond so many operations are not tried again and again.
inline constexpr double most_operations_tried = 1e7;

/// Every reading that explains the output; of a product that the lab claims also an operand that blocks take by the wrong
/// one of their numbers. `inputs` are the call's arguments, `wrong` the place of the output among them. Widths of tiles are
/// those of the launches.
[[nodiscard]] std::vector<explanation> misread_input(const lab&, const test_case&,
                                                     const std::vector<argument_value>& inputs, std::size_t wrong,
                                                     const output_values&, const std::vector<launch_counters>&);

}  // namespace simtlab
