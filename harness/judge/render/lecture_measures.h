// The lectures' own measures of global memory, below a profile: 128-byte lines beside sectors, and nvprof's load and store
// efficiency, so that a slide can be held beside the profile.
#pragma once

#include <string>
#include <vector>

#include "judge/render/style.h"
#include "judge/score/line_counters.h"

namespace simtlab {

/// A table of at most 80 columns: each access of global memory, then all loads and all stores. "" where there is none.
[[nodiscard]] std::string lecture_measures(const std::vector<line_row>&, const text_style&, std::size_t width);

}  // namespace simtlab
