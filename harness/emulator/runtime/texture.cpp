#include "runtime/texture.h"

#include <algorithm>
#include <cmath>

namespace simtlab::emulator {
namespace {

constexpr int one = texel_sample::one;

/// One dimension of a fetch: two texels, -1 outside, and the upper's weight.
struct axis {
  std::array<std::int64_t, 2> index{0, 0};
  int upper = 0;
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
  constexpr double steps = 1 << 21;  // of a normalised coordinate
  if (normalised) x = std::floor(x * steps) / steps;
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
  const auto fixed = static_cast<std::int64_t>(std::floor((x - 0.5) * one + 0.5));
  const std::int64_t lower = fixed >> 8;
  a.index = {brought_inside(lower, count, mode), brought_inside(lower + 1, count, mode)};
  const bool is_clamped = mode == cudaAddressModeClamp && a.index[0] == a.index[1];
  if (!is_clamped) a.upper = static_cast<int>(fixed & (one - 1));
  return a;
}

/// The part of a weight that a fraction of 256ths takes, to the nearest; `down` is where the middle goes to.
int part_of(int weight, int fraction, bool down = false) { return (weight * fraction + one / 2 - down) / one; }

/// The weights of the eight texels; bit d of a texel's number says whether it is the upper one of dimension d. The third fraction
/// parts the whole first, then the first one, then the second.
std::array<int, 8> weights_of(int x, int y, int z) {
  std::array<int, 8> weights{};
  for (const int up_z : {0, 1}) {
    const int slice = up_z != 0 ? z : one - z;
    const int upper = part_of(slice, x);
    for (const int up_x : {0, 1}) {
      const int column = up_x != 0 ? upper : slice - upper;
      const int up_y = part_of(column, y, up_x == 0);
      weights[static_cast<unsigned>(up_x + 4 * up_z)] = column - up_y;
      weights[static_cast<unsigned>(up_x + 2 + 4 * up_z)] = up_y;
    }
  }
  return weights;
}

/// One dimension is one row of two, at the height 0, which lies between this row and the one before: with a border there an H100
/// gives the mean of both.
constexpr axis beside_the_row{{-1, 0}, one / 2};

}  // namespace

texel_sample sample_of(const texture& t, const std::array<float, 3>& coordinates) {
  std::array<axis, 3> axes;
  for (unsigned d = 0; d < t.dimensions; ++d) axes[d] = axis_of(t, d, coordinates[d]);
  texel_sample s;
  const bool linear = t.description.filterMode == cudaFilterModeLinear;
  unsigned dimensions = t.dimensions;
  if (linear && dimensions == 1 && t.description.addressMode[1] == cudaAddressModeBorder) {
    axes[1] = beside_the_row;
    dimensions = 2;
  }
  s.count = linear ? 1U << dimensions : 1;
  const auto layer =
      t.layered ? std::clamp<std::int64_t>(static_cast<std::int64_t>(coordinates[2]), 0, t.extent[2] - 1) : 0;
  const char* const base = t.base + static_cast<std::size_t>(layer) * t.slice;
  const std::array<int, 8> weights = weights_of(axes[0].upper, axes[1].upper, axes[2].upper);
  for (unsigned i = 0; i < s.count; ++i) {
    const std::size_t up[3] = {i & 1U, i >> 1 & 1U, i >> 2 & 1U};
    const std::int64_t x = axes[0].index[up[0]], y = axes[1].index[up[1]], z = axes[2].index[up[2]];
    if (linear) s.parts[i].weight = weights[i];
    if (x >= 0 && y >= 0 && z >= 0)
      s.parts[i].where = base + static_cast<std::size_t>(z) * t.slice + static_cast<std::size_t>(y) * t.pitch +
                         static_cast<std::size_t>(x) * t.format.bytes();
  }
  return s;
}

texel_sample element_of(const texture& t, std::int64_t index) {
  texel_sample s;
  if (index >= 0 && index < t.extent[0]) s.parts[0].where = t.base + static_cast<std::size_t>(index) * t.format.bytes();
  return s;
}

}  // namespace simtlab::emulator
