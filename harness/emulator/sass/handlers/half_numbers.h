// Half precision (binary16) and bfloat16 as floats and back, rounded once.
#pragma once

#include <cmath>

#include "sass/handlers/lanes.h"

namespace simtlab::emulator::sass::SIMTLAB_SASS_LEVEL {

SIMTLAB_LANES float from_half(std::uint32_t bits) {
  const std::uint32_t sign = (bits & 0x8000) << 16, exponent = bits >> 10 & 31, fraction = bits & 0x3ff;
  if (exponent == 31) return as_float(sign | 0x7f800000U | fraction << 13);
  if (exponent != 0) return as_float(sign | (exponent + 112) << 23 | fraction << 13);
  const float tiny = static_cast<float>(fraction) * 0x1p-24F;
  return sign != 0 ? -tiny : tiny;
}
SIMTLAB_LANES float from_bfloat(std::uint32_t bits) { return as_float(bits << 16); }

/// How a number is rounded: to nearest, even; down, up, towards zero.
enum class direction : std::uint8_t { nearest, down, up, zero };

/// A double, which holds any sum, product or fused sum of two or three halves closely enough that rounding it once more gives the result
/// (53 ≥ 2 · 11 + 2 bits), as a number of `bits` bits of fraction and an exponent from `least` on.
SIMTLAB_LANES double rounded_to(double v, int bits, int least, direction to) {
  if (v == 0 || v != v || std::isinf(v)) return v;
  int exponent = 0;
  std::frexp(v, &exponent);
  const int place = std::max(exponent - 1, least) - bits;
  const double scaled = std::ldexp(v, -place);
  double whole = 0;
  switch (to) {
    case direction::down:
      whole = std::floor(scaled);
      break;
    case direction::up:
      whole = std::ceil(scaled);
      break;
    case direction::zero:
      whole = std::trunc(scaled);
      break;
    default:
      whole = std::nearbyint(scaled);
  }
  return std::copysign(std::ldexp(whole, place), v);
}

/// What lies behind the greatest number: infinity, unless rounding leads away from it.
SIMTLAB_LANES bool goes_to_infinity(double v, direction to) {
  return to == direction::nearest || (to == direction::up && v > 0) || (to == direction::down && v < 0);
}

SIMTLAB_LANES std::uint32_t to_half(double v, direction to = direction::nearest) {
  if (v != v) return 0x7fff;
  const std::uint32_t sign = std::signbit(v) ? 0x8000 : 0;
  if (std::isinf(v)) return sign | 0x7c00;
  const double r = std::fabs(rounded_to(v, 10, -14, to));
  if (r > 65504.0) return sign | (goes_to_infinity(v, to) ? 0x7c00U : 0x7bffU);
  if (r < 0x1p-14) return sign | static_cast<std::uint32_t>(r * 0x1p24);
  const std::uint32_t bits = as_bits(static_cast<float>(r));
  return sign | (((bits >> 23) - 112) << 10) | (bits >> 13 & 0x3ff);
}

SIMTLAB_LANES std::uint32_t to_bfloat(double v, direction to = direction::nearest) {
  if (v != v) return 0x7fff;
  const std::uint32_t sign = std::signbit(v) ? 0x8000 : 0;
  if (std::isinf(v)) return sign | 0x7f80;
  const double r = std::fabs(rounded_to(v, 7, -126, to));
  if (r > 0x1.fep127) return sign | (goes_to_infinity(v, to) ? 0x7f80U : 0x7f7fU);
  return sign | as_bits(static_cast<float>(r)) >> 16;
}

SIMTLAB_LANES std::uint32_t half_pair_sum(std::uint32_t a, std::uint32_t b, bool is_bfloat) {
  std::uint32_t result = 0;
  for (unsigned shift = 0; shift < 32; shift += 16) {
    const std::uint32_t x = a >> shift & 0xffff, y = b >> shift & 0xffff;
    const std::uint32_t sum = is_bfloat ? to_bfloat(double{from_bfloat(x)} + double{from_bfloat(y)})
                                        : to_half(double{from_half(x)} + double{from_half(y)});
    result |= sum << shift;
  }
  return result;
}

}  // namespace simtlab::emulator::sass::SIMTLAB_SASS_LEVEL
