// Floating-point numbers of 16 bits in inline PTX, alone and two in a register: f16, f16x2, bf16, bf16x2. Arithmetic is in float,
// which has more than twice the bits, and rounded once; every NaN that is computed is the one that a GPU's instructions give.
//
// Source: NVIDIA, "Parallel Thread Execution ISA", chapter "Half Precision Floating Point Instructions".
#pragma once       // IWYU pragma: private, include <cuda_runtime.h>
#ifndef __clang__  // ../device_functions.h
#pragma GCC system_header
#endif

#include "small_formats.h"

#define SIMTLAB_PTX __device__ inline __attribute__((always_inline, artificial))

namespace simtlab::ptx {

template <class Format>
struct small_float {
  uint16_t bits;
};
template <class Number>
struct pair_of {
  Number low, high;
};
using half = small_float<half_format>;
using bfloat = small_float<bfloat_format>;
using half_pair = pair_of<half>;
using bfloat_pair = pair_of<bfloat>;

template <class Format>
SIMTLAB_PTX float widened(small_float<Format> x) {
  return Format::number(x.bits);
}
template <class Format>
SIMTLAB_PTX small_float<Format> narrowed(double x) {
  return {Format::bits(x)};
}
/// Of `.ftz`: what lies below the normal halves with as many bits as they have becomes a zero of its sign. (An H200 rounds before it
/// compares; tests/programs/flushed_results.cu.)
SIMTLAB_PTX half narrowed_or_zero(double x) {
  return {half_format::bits(fabs(x) < 0x1p-14 - 0x1p-26 ? copysign(0.0, x) : x)};
}
template <class Format>
SIMTLAB_PTX bool is_nan(small_float<Format> x) {
  return (x.bits & 0x7fff) > Format::infinity;
}

template <class Format>
SIMTLAB_PTX small_float<Format> added(small_float<Format> a, small_float<Format> b) {
  return narrowed<Format>(static_cast<double>(widened(a) + widened(b)));
}
template <class Format>
SIMTLAB_PTX small_float<Format> subtracted(small_float<Format> a, small_float<Format> b) {
  return narrowed<Format>(static_cast<double>(widened(a) - widened(b)));
}
template <class Format>
SIMTLAB_PTX small_float<Format> multiplied(small_float<Format> a, small_float<Format> b) {
  return narrowed<Format>(static_cast<double>(widened(a) * widened(b)));
}
template <class Format>
SIMTLAB_PTX small_float<Format> fused(small_float<Format> a, small_float<Format> b, small_float<Format> c) {
  return narrowed<Format>(fused_with_sticky_bit(widened(a), widened(b), widened(c)));
}
SIMTLAB_PTX half multiplied_or_zero(half a, half b) {
  return narrowed_or_zero(static_cast<double>(widened(a) * widened(b)));
}
SIMTLAB_PTX half fused_or_zero(half a, half b, half c) {
  return narrowed_or_zero(fused_with_sticky_bit(widened(a), widened(b), widened(c)));
}
template <class Format>
SIMTLAB_PTX small_float<Format> negative(small_float<Format> a) {
  return {static_cast<uint16_t>(is_nan(a) ? 0x7fff : a.bits ^ 0x8000)};
}
template <class Format>
SIMTLAB_PTX small_float<Format> magnitude(small_float<Format> a) {
  return {static_cast<uint16_t>(is_nan(a) ? 0x7fff : a.bits & 0x7fff)};
}
/// -0 lies below 0; of a number and a NaN it is the number.
template <class Format>
SIMTLAB_PTX small_float<Format> lesser(small_float<Format> a, small_float<Format> b) {
  if (is_nan(a)) return is_nan(b) ? small_float<Format>{0x7fff} : b;
  if (is_nan(b)) return a;
  const float x = widened(a), y = widened(b);
  return x < y || (x == y && a.bits > b.bits) ? a : b;
}
template <class Format>
SIMTLAB_PTX small_float<Format> greater(small_float<Format> a, small_float<Format> b) {
  if (is_nan(a)) return is_nan(b) ? small_float<Format>{0x7fff} : b;
  if (is_nan(b)) return a;
  const float x = widened(a), y = widened(b);
  return x < y || (x == y && a.bits > b.bits) ? b : a;
}
template <class Format>
SIMTLAB_PTX small_float<Format> lesser_or_nan(small_float<Format> a, small_float<Format> b) {
  return is_nan(a) || is_nan(b) ? small_float<Format>{0x7fff} : lesser(a, b);
}
template <class Format>
SIMTLAB_PTX small_float<Format> greater_or_nan(small_float<Format> a, small_float<Format> b) {
  return is_nan(a) || is_nan(b) ? small_float<Format>{0x7fff} : greater(a, b);
}
/// Between 0 and 1; of a NaN 0.
template <class Format>
SIMTLAB_PTX small_float<Format> saturated(small_float<Format> a) {
  const float x = widened(a);
  return x > 0 ? (x < 1 ? a : small_float<Format>{Format::one}) : small_float<Format>{0};
}
/// At least 0: `.relu`.
template <class Format>
SIMTLAB_PTX small_float<Format> positive(small_float<Format> a) {
  return widened(a) <= 0 ? small_float<Format>{0} : a;
}
/// Subnormal numbers become zeros of their sign.
SIMTLAB_PTX half flushed(half a) { return {static_cast<uint16_t>((a.bits & 0x7c00) == 0 ? a.bits & 0x8000 : a.bits)}; }

#define SIMTLAB_PTX_OF_EACH(name)                       \
  template <class Number>                               \
  SIMTLAB_PTX pair_of<Number> name(pair_of<Number> a) { \
    return {name(a.low), name(a.high)};                 \
  }
#define SIMTLAB_PTX_OF_BOTH(name)                                          \
  template <class Number>                                                  \
  SIMTLAB_PTX pair_of<Number> name(pair_of<Number> a, pair_of<Number> b) { \
    return {name(a.low, b.low), name(a.high, b.high)};                     \
  }
SIMTLAB_PTX_OF_EACH(negative)
SIMTLAB_PTX_OF_EACH(magnitude)
SIMTLAB_PTX_OF_EACH(saturated)
SIMTLAB_PTX_OF_EACH(positive)
SIMTLAB_PTX_OF_EACH(flushed)
SIMTLAB_PTX_OF_BOTH(added)
SIMTLAB_PTX_OF_BOTH(subtracted)
SIMTLAB_PTX_OF_BOTH(multiplied)
SIMTLAB_PTX_OF_BOTH(multiplied_or_zero)
SIMTLAB_PTX_OF_BOTH(lesser)
SIMTLAB_PTX_OF_BOTH(greater)
SIMTLAB_PTX_OF_BOTH(lesser_or_nan)
SIMTLAB_PTX_OF_BOTH(greater_or_nan)
#undef SIMTLAB_PTX_OF_EACH
#undef SIMTLAB_PTX_OF_BOTH
template <class Number>
SIMTLAB_PTX pair_of<Number> fused(pair_of<Number> a, pair_of<Number> b, pair_of<Number> c) {
  return {fused(a.low, b.low, c.low), fused(a.high, b.high, c.high)};
}
SIMTLAB_PTX half_pair fused_or_zero(half_pair a, half_pair b, half_pair c) {
  return {fused_or_zero(a.low, b.low, c.low), fused_or_zero(a.high, b.high, c.high)};
}
template <class Number>
SIMTLAB_PTX Number fused_positive_or_zero(Number a, Number b, Number c) {
  return positive(fused_or_zero(a, b, c));
}
template <class Number>
SIMTLAB_PTX Number fused_positive(Number a, Number b, Number c) {
  return positive(fused(a, b, c));
}

}  // namespace simtlab::ptx

#undef SIMTLAB_PTX
