// A stretch of bits in an array of 64-bit words.
#pragma once

#include <cstdint>

namespace simtlab::emulator {

/// Calls `visit(index of the word, its bits)` for the words that hold the bits [begin, begin + count), until it says false; the answer is
/// whether it never did.
template <class Visit>
[[gnu::always_inline]] inline bool each_bit_word(std::uint64_t begin, std::uint64_t count, Visit&& visit) {
  if (count == 0) return true;
  constexpr std::uint64_t all = ~std::uint64_t{0};
  const std::uint64_t last = begin + count - 1, last_word = last / 64;
  const std::uint64_t first_bits = all << begin % 64, last_bits = all >> (63 - last % 64);
  std::uint64_t word = begin / 64;
  if (word == last_word) return visit(word, first_bits & last_bits);
  if (!visit(word, first_bits)) return false;
  while (++word < last_word)
    if (!visit(word, all)) return false;
  return visit(word, last_bits);
}

}  // namespace simtlab::emulator
