#include "runtime/texel_value.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace simtlab::emulator {
namespace {

constexpr int whole_weight = texel_sample::one;

float from_half(std::uint16_t h) {
  const float sign = (h & 0x8000) != 0 ? -1.0F : 1.0F;
  const int exponent = h >> 10 & 31;
  const auto fraction = static_cast<float>(h & 1023);
  if (exponent == 31) return fraction == 0 ? sign * INFINITY : NAN;
  return exponent == 0 ? sign * std::ldexp(fraction, -24) : sign * std::ldexp(fraction + 1024, exponent - 25);
}

/// A channel's bits, widened to 32.
std::uint32_t channel_at(const char* where, const texel_format& f, unsigned channel) {
  const unsigned bytes = f.bits / 8;
  std::uint32_t bits = 0;
  std::memcpy(&bits, where + std::size_t{channel} * bytes, bytes);
  if (f.kind != texel_kind::signed_integer || bytes == 4) return bits;
  const std::uint32_t sign = 1U << (f.bits - 1);
  return (bits ^ sign) - sign;
}

/// The largest whole number of so many bits.
double largest(const texel_format& f, unsigned bits) {
  return static_cast<double>((1U << (f.kind == texel_kind::unsigned_integer ? bits : bits - 1)) - 1);
}

float float_of(std::uint32_t bits, const texel_format& f) {
  if (f.kind == texel_kind::floating)
    return f.bits == 16 ? from_half(static_cast<std::uint16_t>(bits)) : std::bit_cast<float>(bits);
  const auto most = static_cast<float>(largest(f, f.bits));
  if (f.kind == texel_kind::unsigned_integer) return static_cast<float>(bits) / most;
  return std::max(-1.0F, static_cast<float>(static_cast<std::int32_t>(bits)) / most);
}

/// The nearest number of so many bits, the one farther from zero of two.
double rounded(double sum, int bits, int least_exponent) {
  if (sum == 0 || !std::isfinite(sum)) return sum;
  const int unit = std::max(std::ilogb(sum), least_exponent) - (bits - 1);
  return std::ldexp(std::round(std::ldexp(sum, -unit)), unit);
}

/// The texels of one channel that weigh something.
struct weighted_texels {
  std::array<double, 8> texel{};
  std::array<int, 8> weight{};
  unsigned count = 0;
};

float mean_of_floats(const weighted_texels& w, bool halves) {
  constexpr int guard_bits = 14;
  double most = 0, sum = 0;
  for (unsigned i = 0; i < w.count; ++i) most = std::max(most, std::abs(w.texel[i]));
  const bool cut = halves && most > 0 && std::isfinite(most);
  const int unit = cut ? std::ilogb(most) - guard_bits : 0;
  for (unsigned i = 0; i < w.count; ++i)
    sum +=
        (cut ? std::ldexp(std::trunc(std::ldexp(w.texel[i], -unit)), unit) : w.texel[i]) * w.weight[i] / whole_weight;
  return static_cast<float>(halves ? rounded(sum, 11, -14) : rounded(sum, 24, -126));
}

/// Of texels in units of the largest number of 16 bits.
float mean_of_whole(const weighted_texels& w, double largest) {
  double sum = 0;
  for (unsigned i = 0; i < w.count; ++i) sum += w.texel[i] * w.weight[i];
  return static_cast<float>(std::max(-1.0, std::round(sum / whole_weight) / largest));
}

float filtered(const texture& t, const texel_sample& s, unsigned channel) {
  const texel_format& f = t.format;
  const bool floats = f.kind == texel_kind::floating;
  const double most = floats ? 1 : largest(f, 16), per_unit = floats ? 1 : most / largest(f, f.bits);
  weighted_texels w;
  for (unsigned i = 0; i < s.count; ++i) {
    const texel_sample::part& p = s.parts[i];
    if (p.weight == 0) continue;  // nothing of it counts, even where it is no number
    double texel = t.description.borderColor[channel] * most;
    if (p.where != nullptr) {
      const std::uint32_t bits = channel_at(p.where, f, channel);
      texel = floats                                   ? float_of(bits, f)
              : f.kind == texel_kind::unsigned_integer ? bits * per_unit
                                                       : static_cast<std::int32_t>(bits) * per_unit;
    }
    w.texel[w.count] = texel;
    w.weight[w.count++] = p.weight;
  }
  return floats ? mean_of_floats(w, f.bits == 16) : mean_of_whole(w, most);
}

}  // namespace

std::array<std::uint32_t, 4> value_of(const texture& t, const texel_sample& s) {
  std::array<std::uint32_t, 4> value{};
  for (unsigned c = 0; c < t.format.channels; ++c) {
    const float border = t.elements_only ? 0 : t.description.borderColor[c];
    if (!t.gives_floats()) {
      value[c] = s.parts[0].where != nullptr ? channel_at(s.parts[0].where, t.format, c)
                                             : static_cast<std::uint32_t>(static_cast<std::int64_t>(border));
      continue;
    }
    const char* const where = s.parts[0].where;
    const float mean = s.count > 1        ? filtered(t, s, c)
                       : where != nullptr ? float_of(channel_at(where, t.format, c), t.format)
                                          : border;
    value[c] = std::bit_cast<std::uint32_t>(mean);
  }
  return value;
}

}  // namespace simtlab::emulator
