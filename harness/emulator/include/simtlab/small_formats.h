// Floating-point formats of 16 bits as bits: what cuda_fp16.h and cuda_bf16.h convert with. Conversions carry no hooks and no
// block trace, as they are one instruction on a GPU.
#pragma once       // IWYU pragma: private, include <cuda_fp16.h>
#ifndef __clang__  // ../device_functions.h
#pragma GCC system_header
#endif

#include <stdint.h>

#include "../host_defines.h"
#include "emulator_entry.h"

namespace simtlab {

/// A sign, `Exponent` bits of exponent and `Fraction` bits of fraction, as IEEE 754 has them.
template <int Exponent, int Fraction>
struct small_format {
  static constexpr int largest = (1 << (Exponent - 1)) - 1, smallest = 1 - largest;
  static constexpr unsigned short infinity = ((1 << Exponent) - 1) << Fraction;
  static constexpr unsigned short one = largest << Fraction;

  /// Every NaN becomes the one that CUDA's conversions give.
  __attribute__((noinline)) SIMTLAB_NO_HOOKS static unsigned short bits(double value,
                                                                        unsigned rounding = simtlab_round_nearest) {
    const uint64_t given = __builtin_bit_cast(uint64_t, value);
    const unsigned sign = static_cast<unsigned>(given >> 48) & 0x8000u;
    const int exponent = static_cast<int>(given >> 52 & 0x7ff) - 1023;
    const uint64_t fraction = given & 0xfffffffffffffull;
    if (exponent == 1024) return static_cast<unsigned short>(fraction != 0 ? 0x7fffu : sign | infinity);
    if ((given << 1) == 0) return static_cast<unsigned short>(sign);
    const bool away = rounding == simtlab_round_up ? sign == 0 : rounding == simtlab_round_down && sign != 0;
    if (exponent > largest)
      return static_cast<unsigned short>(sign | (rounding == simtlab_round_nearest || away ? infinity : infinity - 1u));
    const int below = exponent < smallest ? smallest - exponent : 0;
    const int shift = 52 - Fraction + (below > Fraction + 2 ? Fraction + 2 : below);
    const uint64_t full = fraction | uint64_t{1} << 52;
    uint64_t magnitude = full >> shift;
    if (below == 0) magnitude += static_cast<uint64_t>(exponent - smallest) << Fraction;
    const uint64_t rest = full & ((uint64_t{1} << shift) - 1), middle = uint64_t{1} << (shift - 1);
    const bool nearer = rest > middle || (rest == middle && (magnitude & 1) != 0);
    if (rounding == simtlab_round_nearest ? nearer : away && rest != 0) ++magnitude;
    return static_cast<unsigned short>(sign | static_cast<unsigned>(magnitude));
  }
};

struct half_format : small_format<5, 10> {
  __attribute__((noinline)) SIMTLAB_NO_HOOKS static float number(unsigned short bits) {
    const uint32_t sign = static_cast<uint32_t>(bits & 0x8000) << 16;
    const uint32_t exponent = bits >> 10 & 31;
    const uint32_t fraction = bits & 0x3ff;
    if (exponent == 31) return __builtin_bit_cast(float, sign | 0x7f800000u | fraction << 13);
    if (exponent != 0) return __builtin_bit_cast(float, sign | (exponent + 112) << 23 | fraction << 13);
    const float magnitude = static_cast<float>(fraction) * 5.9604644775390625e-8f;
    return sign != 0 ? -magnitude : magnitude;
  }
};
struct bfloat_format : small_format<8, 7> {
  __attribute__((always_inline, artificial)) static float number(unsigned short bits) {
    return __builtin_bit_cast(float, static_cast<uint32_t>(bits) << 16);
  }
};

/// A number that rounds to a small format as `x` does: what a `double` has no room for is left in its last bit.
__attribute__((always_inline, artificial)) inline double with_sticky_bit(unsigned long long x) {
  return static_cast<double>(x >> 53 == 0 ? x
                                          : x & ~0xfffull | static_cast<unsigned long long>((x & 0xfffu) != 0) << 12);
}
__attribute__((always_inline, artificial)) inline double with_sticky_bit(long long x) {
  const auto size = x < 0 ? 0 - static_cast<unsigned long long>(x) : static_cast<unsigned long long>(x);
  return x < 0 ? -with_sticky_bit(size) : with_sticky_bit(size);
}
/// The same of a * b + c, whose product is exact (D. Knuth's sum of two numbers and its error).
__attribute__((noinline)) SIMTLAB_NO_HOOKS inline double fused_with_sticky_bit(float a, float b, float c) {
  const double product = static_cast<double>(a) * b, sum = product + c;
  const double moved = sum - product, error = (product - (sum - moved)) + (c - moved);
  if (!(error < 0 || error > 0)) return sum;
  uint64_t bits = __builtin_bit_cast(uint64_t, sum);
  if ((bits & 1) == 0) bits += (error > 0) == (sum > 0) ? 1u : uint64_t(-1);
  return __builtin_bit_cast(double, bits);
}

}  // namespace simtlab
