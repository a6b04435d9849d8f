// Findings as compilers write errors, `kernel.cu:34: error: …`, one line for each place: what editors have patterns for.
#pragma once

#include <string>
#include <vector>

#include "protocol/measurement.h"

namespace simtlab {

/// Whether $SIMTLAB_PROBLEM_LINES asks for them: the tasks of an editor do.
[[nodiscard]] bool problem_lines_are_asked_for();

/// A finding without a line has none here. Each line says where the other access is.
[[nodiscard]] std::string problem_lines(const std::vector<finding>&);

}  // namespace simtlab
