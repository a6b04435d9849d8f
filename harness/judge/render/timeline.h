// When copies and kernels of a host entry would run, as rows of bars: one for each stream and what it keeps busy.
#pragma once

#include <string>
#include <vector>

#include "judge/render/style.h"
#include "protocol/measurement.h"

namespace simtlab {

/// Empty for fewer than two operations that cross the bus: nothing could overlap. Lines of at most `width` columns.
[[nodiscard]] std::string timeline_text(const std::vector<timed_operation>&, const text_style&, std::size_t width);

}  // namespace simtlab
