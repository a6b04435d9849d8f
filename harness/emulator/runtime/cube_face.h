// The six faces of a cubemap, and where a direction meets one.
//
// Rules: CUDA C++ Programming Guide, "Cubemap Textures": the component m of the largest size picks the face, s and t of the table
// lead to ((s/m + 1)/2, (t/m + 1)/2) on it. What the guide leaves open is as an H200 answers: of equal sizes z wins, then y; what
// is no number counts as 0; nvcc's code divides by a reciprocal in single precision.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace simtlab::emulator {

/// A place on a face; both coordinates lie in [0, 1].
struct place_on_cube {
  unsigned face = 0;
  double x = 0, y = 0;
};
[[nodiscard]] place_on_cube place_of(std::array<float, 3> direction);

struct texel_on_cube {
  unsigned face = 0;
  std::int64_t x = 0, y = 0;
  bool operator==(const texel_on_cube&) const = default;
};
/// The texel of faces of `width` texels a row that lies there; one step outside of a face leads to the neighbouring face. None beyond a
/// corner, where three faces meet and there is no fourth texel.
[[nodiscard]] std::optional<texel_on_cube> across_edges(const texel_on_cube& at, std::int64_t width);

}  // namespace simtlab::emulator
