// A counter, to be computed with: criteria divide counters, and their differences may be negative.
#pragma once

#include <cstdint>

namespace simtlab {

[[nodiscard]] constexpr double number(std::uint64_t counter) { return static_cast<double>(counter); }

}  // namespace simtlab
