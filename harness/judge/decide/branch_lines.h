// The branches of the source that can keep some threads from a place that all have to reach.
#pragma once

#include <vector>

#include "judge/render/source_text.h"
#include "protocol/measurement.h"

namespace simtlab {

/// Of a finding whose shuffle or barrier not all threads reach: the lines of the `if`, `for` and `while` around it whose
/// condition depends on the thread, the innermost first. A comparison with a multiple of the warp size parts no warp, so
/// that of a shuffle it is none of them. Empty where none is found in this function.
[[nodiscard]] std::vector<int> branch_lines(const finding&, const source_text&);

/// Of the lines with a `return`, those whose own condition may part a warp.
[[nodiscard]] std::vector<int> returns_that_part_a_warp(const std::vector<int>& lines, const source_text&);

}  // namespace simtlab
