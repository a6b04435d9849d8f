// A key as a whole number whose order is the key's, and the comparison of some of its bits.
#pragma once
#ifndef __clang__  // ../../device_functions.h
#pragma GCC system_header
#endif

#include "config.h"

namespace cub::detail {

template <class Key>
using radix_word =
    std::conditional_t<sizeof(Key) == 8, unsigned long long,
                       std::conditional_t<sizeof(Key) == 4, unsigned,
                                          std::conditional_t<sizeof(Key) == 2, unsigned short, unsigned char>>>;

template <class Key>
__host__ SIMTLAB_CUB radix_word<Key> radix_bits(const Key& key) {
  using word = radix_word<Key>;
  static_assert(sizeof(Key) == sizeof(word) && std::is_trivially_copyable<Key>::value,
                "a radix sort's keys are numbers of 1, 2, 4 or 8 bytes");
  constexpr word top = static_cast<word>(word{1} << (8 * sizeof(Key) - 1));
  const word bits = __builtin_bit_cast(word, key);
  if constexpr (std::is_integral<Key>::value)
    return std::is_signed<Key>::value ? static_cast<word>(bits ^ top) : bits;
  else  // of a floating-point number; -0 stands with 0
    return bits == top ? top : (bits & top) != 0 ? static_cast<word>(~bits) : static_cast<word>(bits | top);
}
/// Bits `begin` to `end - 1` of a key, the highest ones first.
template <class Key>
__host__ SIMTLAB_CUB radix_word<Key> radix_digit(const Key& key, int begin, int end) {
  using word = radix_word<Key>;
  const word shifted = static_cast<word>(radix_bits(key) >> begin);
  const int bits = end - begin;
  return bits >= static_cast<int>(8 * sizeof(word)) ? shifted : static_cast<word>(shifted & ((word{1} << bits) - 1));
}
template <class Key, bool Descends>
struct radix_less {
  int begin, end;
  __host__ SIMTLAB_CUB bool operator()(const Key& a, const Key& b) const {
    return Descends ? radix_digit(b, begin, end) < radix_digit(a, begin, end)
                    : radix_digit(a, begin, end) < radix_digit(b, begin, end);
  }
};

}  // namespace cub::detail
