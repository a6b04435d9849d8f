// The one hash of numbers, for tables whose keys differ in few bits: interned values, caches, counters, findings.
#pragma once

#include <cstdint>

namespace simtlab::emulator {

/// Every bit of `x` reaches the upper half of the result and the lower one. The multiplier is 2^64 by the golden ratio (Knuth,
/// The Art of Computer Programming 3, section 6.4). Different values have different results. Of several values:
/// mix64(mix64(a) ^ b).
[[nodiscard]] constexpr std::uint64_t mix64(std::uint64_t x) {
  x *= 0x9e3779b97f4a7c15;
  return x ^ x >> 32;
}

}  // namespace simtlab::emulator
