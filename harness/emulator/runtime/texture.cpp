#include "runtime/texture.h"

#include <algorithm>
#include <cmath>

#include "runtime/cube_face.h"

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

bool is_seamless(const texture& t) { return t.kind.cubemap && t.description.seamlessCubemap != 0; }

axis axis_of(const texture& t, unsigned dimension, double x) {
  const std::int64_t count = t.extent[dimension];
  const bool normalised = t.description.normalizedCoords != 0 || t.kind.cubemap;
  cudaTextureAddressMode mode = is_seamless(t) ? cudaAddressModeClamp : t.description.addressMode[dimension];
  if (!normalised && mode != cudaAddressModeBorder) mode = cudaAddressModeClamp;
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
  if (is_seamless(t)) return {{lower, lower + 1}, static_cast<int>(fixed & (one - 1))};
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

/// The four texels around a place on a cube, which may lie on several faces; `base` is where the first face begins.
texel_sample across_faces(const texture& t, const char* base, unsigned face, const axis& column, const axis& row) {
  const std::array<int, 8> weights = weights_of(column.upper, row.upper, 0);
  texel_sample s;
  s.count = 0;
  int beyond_a_corner = 0;
  std::size_t own = 0;
  for (const std::size_t i : {0U, 1U, 2U, 3U}) {
    const texel_on_cube place{face, column.index.at(i & 1U), row.index.at(i >> 1U)};
    const auto texel = across_edges(place, t.extent[0]);
    if (!texel) {
      beyond_a_corner = weights.at(i);
      continue;
    }
    if (*texel == place) own = s.count;
    s.parts.at(s.count++) = {base + texel->face * t.slice + static_cast<std::size_t>(texel->y) * t.pitch +
                                 static_cast<std::size_t>(texel->x) * t.format.bytes(),
                             weights.at(i)};
  }
  if (s.count == 4) return s;
  const int third = (2 * beyond_a_corner + 3) / 6;  // the nearest whole one
  for (std::size_t i = 0; i < s.count; ++i) s.parts.at(i).weight += i == own ? beyond_a_corner - 2 * third : third;
  return s;
}

/// One dimension is one row of two, at the height 0, which lies between this row and the one before: with a border there an H100
/// gives the mean of both.
constexpr axis beside_the_row{{-1, 0}, one / 2};

}  // namespace

texel_sample sample_of(const texture& t, const fetch_place& at) {
  const place_on_cube on_cube = t.kind.cubemap ? place_of(at.coordinates) : place_on_cube{};
  std::array<double, 3> coordinates{at.coordinates[0], at.coordinates[1], at.coordinates[2]};
  if (t.kind.cubemap) coordinates = {on_cube.x, on_cube.y, 0};
  std::array<axis, 3> axes;
  for (unsigned d = 0; d < t.kind.dimensions; ++d) axes[d] = axis_of(t, d, coordinates[d]);
  const std::int64_t layers = t.kind.layered ? t.extent[2] / t.kind.faces() : 1;
  const std::int64_t layer = std::min<std::int64_t>(at.layer, layers - 1) * t.kind.faces();
  const char* const base = t.base + static_cast<std::size_t>(layer + on_cube.face) * t.slice;
  const bool linear = t.description.filterMode == cudaFilterModeLinear;
  if (linear && is_seamless(t))
    return across_faces(t, t.base + static_cast<std::size_t>(layer) * t.slice, on_cube.face, axes[0], axes[1]);
  texel_sample s;
  unsigned dimensions = t.kind.dimensions;
  if (linear && dimensions == 1 && t.description.addressMode[1] == cudaAddressModeBorder) {
    axes[1] = beside_the_row;
    dimensions = 2;
  }
  s.count = linear ? 1U << dimensions : 1;
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
