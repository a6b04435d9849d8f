#include "runtime/cube_face.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace simtlab::emulator {
namespace {

/// The axis that a face stands on, and the axes along its rows and its columns, each with its direction.
struct cube_face {
  std::size_t axis;
  int side;
  std::size_t along_row;
  int row_direction;
  std::size_t along_column;
  int column_direction;
};
constexpr std::array<cube_face, 6> cube_faces{{{0, 1, 2, -1, 1, -1},
                                               {0, -1, 2, 1, 1, -1},
                                               {1, 1, 0, 1, 2, 1},
                                               {1, -1, 0, 1, 2, -1},
                                               {2, 1, 0, 1, 1, -1},
                                               {2, -1, 0, -1, 1, -1}}};

template <class T>
unsigned face_of(const std::array<T, 3>& direction) {
  const auto size = [&](std::size_t i) { return direction.at(i) < 0 ? -direction.at(i) : direction.at(i); };
  const unsigned axis = size(2) >= size(0) && size(2) >= size(1) ? 2 : size(1) >= size(0) ? 1 : 0;
  return 2 * axis + (direction.at(axis) < 0 ? 1 : 0);
}

/// What the hardware's reciprocal takes and gives: numbers too small for a normal one are 0.
float without_subnormals(float x) { return std::fabs(x) < std::numeric_limits<float>::min() ? 0 : x; }

}  // namespace

place_on_cube place_of(std::array<float, 3> direction) {
  const float largest = std::fmax(std::fmax(std::fabs(direction[0]), std::fabs(direction[1])), std::fabs(direction[2]));
  const float reciprocal = without_subnormals(1 / without_subnormals(largest));
  for (float& component : direction) {
    component *= reciprocal;
    if (std::isnan(component)) component = 0;
  }
  const unsigned number = face_of(direction);
  const cube_face& face = cube_faces.at(number);
  const auto on_face = [&](std::size_t axis, int way) {
    return (std::clamp(static_cast<double>(way) * static_cast<double>(direction.at(axis)), -1.0, 1.0) + 1) / 2;
  };
  return {number, on_face(face.along_row, face.row_direction), on_face(face.along_column, face.column_direction)};
}

std::optional<texel_on_cube> across_edges(const texel_on_cube& at, std::int64_t width) {
  const auto is_on_face = [&](std::int64_t i) { return i >= 0 && i < width; };
  if (is_on_face(at.x) && is_on_face(at.y)) return at;
  if (!is_on_face(at.x) && !is_on_face(at.y)) return std::nullopt;
  // The texels' middles on a cube whose edges are two widths long: one step beyond the edge is half a texel down the next face.
  const cube_face& from = cube_faces.at(at.face);
  std::array<std::int64_t, 3> middle{};
  const auto place = [&](std::size_t axis, int way, std::int64_t i) {
    middle.at(axis) = way * std::clamp(2 * i + 1 - width, -width, width);
  };
  middle.at(from.axis) = from.side * (width - 1);
  place(from.along_row, from.row_direction, at.x);
  place(from.along_column, from.column_direction, at.y);
  const unsigned number = face_of(middle);
  const cube_face& to = cube_faces.at(number);
  return texel_on_cube{number, (to.row_direction * middle.at(to.along_row) + width - 1) / 2,
                       (to.column_direction * middle.at(to.along_column) + width - 1) / 2};
}

}  // namespace simtlab::emulator
