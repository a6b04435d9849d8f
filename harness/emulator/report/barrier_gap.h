// The sentence on the barrier that a race inside a block lacks: where it is missing, when the kernel has one elsewhere.
#pragma once

#include <string>

#include "report/report.h"

namespace simtlab::emulator {

/// Stands in a raw finding's message where the sentence goes, once lines are known.
inline constexpr const char* barrier_gap_mark = "{barrier gap}";

/// `barrier`: the one that the block passed last before both accesses; line 0 when it has passed none. One access above it and
/// one below mean that a loop leads from the lower one to the upper one.
[[nodiscard]] std::string barrier_gap_text(const source_line& one, const source_line& other,
                                           const source_line& barrier);

/// The counter of the innermost `for` loop of the source whose lines hold both; empty if none is found.
[[nodiscard]] std::string loop_counter(const std::string& source, int low, int high);

}  // namespace simtlab::emulator
