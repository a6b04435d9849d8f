// Shifts as a GPU does them: "Shift amounts greater than the register width N are clamped to N" (PTX ISA, shl and shr), where
// x86 takes an amount modulo the width.
//
// In device code simtcc makes `x << ::simtlab::by() << n` of `x << n`, and `x <<= ::simtlab::by() <<= n` of `x <<= n`
// (translator/shift_rewriter.cpp): precedence and order of evaluation stay. No branch comes with it, for a warp enters as many
// basic blocks as the source has.
#pragma once  // IWYU pragma: private, include <cuda_runtime.h>
#pragma GCC system_header

#include <type_traits>

#include "../host_defines.h"
#include "emulator_entry.h"

namespace simtlab {

#define SIMTLAB_SHIFT __host__ __device__ inline constexpr __attribute__((always_inline, artificial))

/// Stands in the line of the shift.
struct by {
  unsigned line;
  SIMTLAB_SHIFT by(unsigned at = __builtin_LINE()) : line(at) {}
};

/// What `<<` and `>>` shift, and by what: integers, bool and enumerations that become one.
template <class T, bool = std::is_enum<T>::value>
struct is_shifted : std::is_integral<T> {};
template <class T>
struct is_shifted<T, true> : std::is_convertible<T, long long> {};
template <class T, class Result>
using if_shifted = typename std::enable_if<is_shifted<T>::value && (sizeof(T) <= 8), Result>::type;
template <class T>
using promoted = decltype(+T());

/// Whether an amount is known to be one of C++'s when the program is compiled, `a & 31` for one.
#define SIMTLAB_IS_PLAIN(amount, width) \
  (__builtin_is_constant_evaluated() || (__builtin_constant_p((amount) < (width)) && (amount) < (width)))

/// A GPU's amount has 32 bits. In two halves, for C++ knows no shift by the whole width.
template <class Value, class Amount>
SIMTLAB_SHIFT Value shifted_left(Value value, Amount amount, unsigned line) {
  constexpr unsigned width = 8 * sizeof(Value);
  const auto asked = static_cast<unsigned>(amount);
  if (SIMTLAB_IS_PLAIN(asked, width)) return value << asked;
  const unsigned clamped = simtlab_shift_amount(asked, width, line);
  return value << clamped / 2 << (clamped - clamped / 2);
}
template <class Value, class Amount>
SIMTLAB_SHIFT Value shifted_right(Value value, Amount amount, unsigned line) {
  constexpr unsigned width = 8 * sizeof(Value);
  const auto asked = static_cast<unsigned>(amount);
  if (SIMTLAB_IS_PLAIN(asked, width)) return value >> asked;
  const unsigned clamped = simtlab_shift_amount(asked, width, line);
  return value >> clamped / 2 >> (clamped - clamped / 2);
}

template <class Value>
struct left_operand {
  Value value;
  unsigned line;
};
template <class Value>
struct right_operand {
  Value value;
  unsigned line;
};
template <class Amount>
struct own_amount {
  Amount value;
  unsigned line;
};

template <class T>
SIMTLAB_SHIFT if_shifted<T, left_operand<promoted<T>>> operator<<(T value, by mark) {
  return {value, mark.line};
}
template <class T>
SIMTLAB_SHIFT if_shifted<T, right_operand<promoted<T>>> operator>>(T value, by mark) {
  return {value, mark.line};
}
template <class Value, class Amount>
SIMTLAB_SHIFT if_shifted<Amount, Value> operator<<(left_operand<Value> left, Amount amount) {
  return shifted_left(left.value, amount, left.line);
}
template <class Value, class Amount>
SIMTLAB_SHIFT if_shifted<Amount, Value> operator>>(right_operand<Value> left, Amount amount) {
  return shifted_right(left.value, amount, left.line);
}

template <class Amount>
SIMTLAB_SHIFT if_shifted<Amount, own_amount<Amount>> operator<<=(by mark, Amount amount) {
  return {amount, mark.line};
}
template <class Amount>
SIMTLAB_SHIFT if_shifted<Amount, own_amount<Amount>> operator>>=(by mark, Amount amount) {
  return {amount, mark.line};
}
template <class T, class Amount>
SIMTLAB_SHIFT if_shifted<T, T&> operator<<=(T& value, own_amount<Amount> amount) {
  return value = static_cast<T>(shifted_left<promoted<T>>(value, amount.value, amount.line));
}
template <class T, class Amount>
SIMTLAB_SHIFT if_shifted<T, T&> operator>>=(T& value, own_amount<Amount> amount) {
  return value = static_cast<T>(shifted_right<promoted<T>>(value, amount.value, amount.line));
}

#undef SIMTLAB_IS_PLAIN
#undef SIMTLAB_SHIFT

}  // namespace simtlab
