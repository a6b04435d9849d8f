// Digests of what a write stored, to tell whether two writes stored the same.
#pragma once

#include <cstdint>

#include "core/mix64.h"

namespace simtlab::emulator {

/// Equal values of equal width give equal hashes, and neither of the shorter ones is 0.
[[nodiscard]] inline std::uint64_t digest_of(std::uint64_t value, std::uint32_t width) {
  return mix64(mix64(value + width)) | std::uint64_t{1} << 48 | std::uint64_t{1} << 32;
}
[[nodiscard]] inline std::uint32_t long_digest(std::uint64_t digest) {
  return static_cast<std::uint32_t>(digest >> 32);
}
/// The bits of a word that a store of `width` to its byte `i` stores together; `bytes`: 4 if it stores to all of the word, else 1.
[[nodiscard]] inline std::uint32_t stored_together(unsigned i, unsigned bytes, std::uint32_t width) {
  if (width == 2) return std::uint32_t{0xffff} << 8 * (i & 2);
  return width == 1 || bytes == 1 ? std::uint32_t{0xff} << 8 * i : ~std::uint32_t{0};
}

/// Of a word that is stored in units of one or two bytes, the unit that holds its byte `i`.
[[nodiscard]] inline std::uint32_t unit_at(std::uint32_t word, unsigned i, unsigned unit) {
  return word >> (i / unit * unit * 8) & (unit == 1 ? 0xff : 0xffff);
}

}  // namespace simtlab::emulator
