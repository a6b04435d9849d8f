// In which order blocks, warps and lanes that may all run take their turns. Results don't depend on it; a program whose
// results do has a defect, and a test can look for it by running under several.
#pragma once

#include <bit>
#include <cstdint>

#include "emulator.h"

namespace simtlab::emulator {

/// Which of `count` things has its turn at place `turn`: every thing once. `salt` tells one use from another.
[[nodiscard]] inline std::uint64_t place_of_turn(const schedule& order, std::uint64_t turn, std::uint64_t count,
                                                 std::uint64_t salt) {
  if (order.kind == schedule::in_order || count < 2) return turn;
  if (order.kind == schedule::reverse) return count - 1 - turn;
  // A permutation of the next power of two; places beyond the end are walked through.
  const std::uint64_t mask = std::bit_ceil(count) - 1;
  const auto half = (static_cast<unsigned>(std::bit_width(mask)) + 1) / 2;
  std::uint64_t key = (order.seed + 1) * 0x9e3779b97f4a7c15 ^ (salt + 1) * 0xc2b2ae3d27d4eb4f;
  key ^= key >> 29;
  std::uint64_t at = turn;
  do {
    for (int round = 0; round < 3; ++round) {
      at = (at * (key >> (8 * round) | 1) + (key >> (20 + round))) & mask;
      at ^= at >> half;
    }
  } while (at >= count);
  return at;
}

}  // namespace simtlab::emulator
