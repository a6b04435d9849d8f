#include "runtime/texture.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace simtlab::emulator {
namespace {

/// One dimension of a fetch: the texels at `index`, -1 outside, and their weights.
struct axis {
  std::array<std::int64_t, 2> index{0, 0};
  std::array<float, 2> weight{1, 0};
};

std::int64_t brought_inside(std::int64_t i, std::int64_t count, cudaTextureAddressMode mode) {
  if (i >= 0 && i < count) return i;
  switch (mode) {
    case cudaAddressModeBorder:
      return -1;
    case cudaAddressModeWrap:
      return ((i % count) + count) % count;
    case cudaAddressModeMirror: {
      const std::int64_t folded = ((i % (2 * count)) + 2 * count) % (2 * count);
      return folded < count ? folded : 2 * count - 1 - folded;
    }
    default:
      return std::clamp<std::int64_t>(i, 0, count - 1);
  }
}

axis axis_of(const texture& t, unsigned dimension, float coordinate) {
  const std::int64_t count = t.extent[dimension];
  const bool normalised = t.description.normalizedCoords != 0;
  cudaTextureAddressMode mode = t.description.addressMode[dimension];
  if (!normalised && mode != cudaAddressModeBorder) mode = cudaAddressModeClamp;
  double x = coordinate;
  if (mode == cudaAddressModeWrap) x -= std::floor(x);
  if (mode == cudaAddressModeMirror) x -= 2 * std::floor(x / 2);  // the period of the mirror image
  if (normalised) x *= static_cast<double>(count);
  constexpr double far = 1e9;              // outside of every texture
  x = x > -far ? std::min(x, far) : -far;  // what is no number, too

  axis a;
  if (t.description.filterMode == cudaFilterModePoint) {
    a.index[0] = brought_inside(static_cast<std::int64_t>(std::floor(x)), count, mode);
    return a;
  }
  const auto fixed = static_cast<std::int64_t>(std::floor((x - 0.5) * 256 + 0.5));
  const std::int64_t lower = fixed >> 8;
  a.index = {brought_inside(lower, count, mode), brought_inside(lower + 1, count, mode)};
  a.weight[1] = static_cast<float>(fixed & 255) / 256;
  a.weight[0] = 1 - a.weight[1];
  return a;
}

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

float float_of(std::uint32_t bits, const texel_format& f) {
  if (f.kind == texel_kind::floating)
    return f.bits == 16 ? from_half(static_cast<std::uint16_t>(bits)) : std::bit_cast<float>(bits);
  if (f.kind == texel_kind::unsigned_integer) return static_cast<float>(bits) / static_cast<float>((1U << f.bits) - 1);
  return std::max(-1.0F,
                  static_cast<float>(static_cast<std::int32_t>(bits)) / static_cast<float>((1U << (f.bits - 1)) - 1));
}

}  // namespace

texel_sample sample_of(const texture& t, const std::array<float, 3>& coordinates) {
  std::array<axis, 3> axes;
  for (unsigned d = 0; d < t.dimensions; ++d) axes[d] = axis_of(t, d, coordinates[d]);
  texel_sample s;
  s.count = t.description.filterMode == cudaFilterModePoint ? 1 : 1U << t.dimensions;
  for (unsigned i = 0; i < s.count; ++i) {
    const std::size_t up[3] = {i & 1U, i >> 1 & 1U, i >> 2 & 1U};
    const std::int64_t x = axes[0].index[up[0]], y = axes[1].index[up[1]], z = axes[2].index[up[2]];
    s.parts[i].weight = axes[0].weight[up[0]] * axes[1].weight[up[1]] * axes[2].weight[up[2]];
    if (x >= 0 && y >= 0 && z >= 0)
      s.parts[i].where = t.base + static_cast<std::size_t>(z) * t.slice + static_cast<std::size_t>(y) * t.pitch +
                         static_cast<std::size_t>(x) * t.format.bytes();
  }
  return s;
}

texel_sample element_of(const texture& t, std::int64_t index) {
  texel_sample s;
  if (index >= 0 && index < t.extent[0]) s.parts[0].where = t.base + static_cast<std::size_t>(index) * t.format.bytes();
  return s;
}

std::array<std::uint32_t, 4> value_of(const texture& t, const texel_sample& s) {
  std::array<std::uint32_t, 4> value{};
  for (unsigned c = 0; c < t.format.channels; ++c) {
    const float border = t.elements_only ? 0 : t.description.borderColor[c];
    if (!t.gives_floats()) {
      value[c] = s.parts[0].where != nullptr ? channel_at(s.parts[0].where, t.format, c)
                                             : static_cast<std::uint32_t>(static_cast<std::int64_t>(border));
      continue;
    }
    float sum = 0;
    for (unsigned i = 0; i < s.count; ++i) {
      if (s.parts[i].weight == 0) continue;  // nothing of it counts, even where it is no number
      const char* const where = s.parts[i].where;
      sum += s.parts[i].weight * (where != nullptr ? float_of(channel_at(where, t.format, c), t.format) : border);
    }
    value[c] = std::bit_cast<std::uint32_t>(sum);
  }
  return value;
}

}  // namespace simtlab::emulator
