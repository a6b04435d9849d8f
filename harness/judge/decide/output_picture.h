// A wrong matrix as three small pictures: what was expected, what was found, and where they differ.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace simtlab {

/// Rows of pixels, a hexadecimal digit each. A pixel stands for a cell of neighbouring elements.
struct output_picture {
  std::size_t rows = 0, cols = 0;            ///< of the output, not of the picture
  double lowest = 0, highest = 0;            ///< of the expected values: what the digits 0 and e stand for
  std::vector<std::string> expected, found;  ///< the mean of the cell's finite elements, clamped; f: it has none
  std::vector<std::string> wrong;            ///< the share of wrong elements: 0 none, f all
};
inline constexpr std::size_t most_pixels = 32;  ///< in each direction

/// Elements of the output by their position in memory, row by row.
struct picture_source {
  std::function<double(std::size_t)> expected, found;  ///< NaN where nothing was written
  std::function<bool(std::size_t)> is_wrong;
};

/// The picture of a matrix with rows × cols elements, neither of them 0.
[[nodiscard]] output_picture draw_output(std::size_t rows, std::size_t cols, const picture_source&);

}  // namespace simtlab
