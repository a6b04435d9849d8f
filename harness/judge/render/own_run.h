// What a student's terminal says of a run on an input of the student's own (judge/stage/own_input.h).
#pragma once

#include <string>

#include "judge/decide/case_outcome.h"
#include "judge/render/style.h"
#include "spec/lab_core.h"

namespace simtlab {

/// What the program printed, findings and verdict in lines of at most `width` columns. With `arrays`, which needs
/// case_run::keep: inputs as given and outputs as returned, too, a row of the matrix, or
/// of the last extent, on each line.
[[nodiscard]] std::string own_run_text(const lab&, const case_outcome&, bool arrays, const text_style&,
                                       std::size_t width);

}  // namespace simtlab
