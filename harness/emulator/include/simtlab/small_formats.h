// Floating-point formats of 16 and 8 bits as bits: what cuda_fp16.h, cuda_bf16.h and cuda_fp8.h convert with. Conversions carry no hooks and no
// block trace, as they are one instruction on a GPU.
#pragma once       // IWYU pragma: private, include <cuda_fp16.h>
#ifndef __clang__  // ../device_functions.h
#pragma GCC system_header
#endif

#include <stdint.h>

#include "../host_defines.h"
#include "emulator_entry.h"

namespace simtlab {

/// A sign, `Exponent` bits of exponent and `Fraction` bits of fraction, as IEEE 754 has them. One without infinities keeps
/// numbers in the highest exponent, too, and what is too large becomes its only NaN.
template <int Exponent, int Fraction, bool HasInfinities = true>
struct small_format {
  static constexpr int bias = (1 << (Exponent - 1)) - 1;
  static constexpr int largest = HasInfinities ? bias : bias + 1, smallest = 1 - bias;
  static constexpr unsigned sign_bit = 1u << (Exponent + Fraction);
  static constexpr unsigned short nan = sign_bit - 1;
  static constexpr unsigned short infinity = HasInfinities ? ((1 << Exponent) - 1) << Fraction : nan;
  static constexpr unsigned short one = bias << Fraction;

  /// Every NaN becomes the one that CUDA's conversions give.
  __attribute__((noinline)) SIMTLAB_NO_HOOKS static unsigned short bits(double value,
                                                                        unsigned rounding = simtlab_round_nearest) {
    const uint64_t given = __builtin_bit_cast(uint64_t, value);
    const unsigned sign = given >> 63 != 0 ? sign_bit : 0;
    const int exponent = static_cast<int>(given >> 52 & 0x7ff) - 1023;
    const uint64_t fraction = given & 0xfffffffffffffull;
    if (exponent == 1024) return static_cast<unsigned short>(fraction != 0 ? nan : sign | infinity);
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
    if (magnitude > infinity) magnitude = infinity;
    return static_cast<unsigned short>(sign | static_cast<unsigned>(magnitude));
  }
};

struct half_format : small_format<5, 10> {
  /// As `cvt.rn.f16.f64`: a NaN keeps its sign and the upper bits of its fraction, and becomes a quiet one (an H200;
  /// tests/programs/inline_ptx_halves.cu).
  __attribute__((noinline)) SIMTLAB_NO_HOOKS static unsigned short bits_of_double(double value) {
    const uint64_t given = __builtin_bit_cast(uint64_t, value);
    if (!__builtin_isnan(value)) return bits(value);
    return static_cast<unsigned short>((given >> 48 & 0x8000) | 0x7e00 | (given >> 42 & 0x3ff));
  }
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
/// 8-bit floats (OCP 8-bit Floating Point Specification 1.0): E4M3 has no infinities.
struct e5m2_format : small_format<5, 2> {
  __attribute__((always_inline, artificial)) static unsigned short half(unsigned char bits) {
    return (bits & 0x7f) > infinity ? half_format::nan : static_cast<unsigned short>(bits << 8);
  }
};
struct e4m3_format : small_format<4, 3, false> {
  /// The same number in half precision, where it is exact.
  __attribute__((noinline)) SIMTLAB_NO_HOOKS static unsigned short half(unsigned char bits) {
    const unsigned magnitude = bits & 0x7f, sign = (bits & 0x80u) << 8;
    if (magnitude == nan) return half_format::nan;
    if (magnitude >= 8)
      return static_cast<unsigned short>(sign | ((magnitude << 7) + ((half_format::bias - bias) << 10)));
    return static_cast<unsigned short>(sign | half_format::bits(magnitude * 0.001953125));
  }
};
struct bfloat_format : small_format<8, 7> {
  SIMTLAB_NO_HOOKS static unsigned short bits_of_double(double value) { return bits(value); }
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
