// A wrong matrix as three small pictures: what was expected, what was found, and where they differ. Of a wrong image also
// itself: what went in, what was expected, what came out, in their own colours.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace simtlab {

/// An image's own pixels, row by row: two hexadecimal digits for each channel, or two dots where the cell's bytes were never
/// written. A pixel stands for a cell of neighbouring ones.
struct image_pictures {
  std::size_t channels = 1;                         ///< 1 or 3
  std::vector<std::string> input, expected, found;  ///< input: empty where no input is an image of these extents
};
inline constexpr std::size_t most_image_pixels = 40;  ///< in each direction: a page holds one such set

/// Rows of pixels, a hexadecimal digit each. A pixel stands for a cell of neighbouring elements.
struct output_picture {
  std::size_t rows = 0, cols = 0;            ///< of the output, not of the picture
  double lowest = 0, highest = 0;            ///< of the expected values: what the digits 0 and e stand for
  std::vector<std::string> expected, found;  ///< the mean of the cell's finite elements, clamped; f: it has none
  std::vector<std::string> wrong;            ///< the share of wrong elements: 0 none, f all
  std::optional<image_pictures> image;       ///< where the output is one; a pixel is an element of it then
};
inline constexpr std::size_t most_pixels = 32;  ///< in each direction

/// Elements of the output by their position in memory, row by row.
struct picture_source {
  std::function<double(std::size_t)> expected, found;  ///< NaN where nothing was written
  std::function<bool(std::size_t)> is_wrong;
};

/// The picture of a matrix with rows × cols elements, neither of them 0.
[[nodiscard]] output_picture draw_output(std::size_t rows, std::size_t cols, const picture_source&);

/// Rows of an image with rows × cols pixels, as image_pictures has them. `byte` gives the values by their position in memory,
/// nothing where none was written.
[[nodiscard]] std::vector<std::string> draw_image(std::size_t rows, std::size_t cols, std::size_t channels,
                                                  const std::function<std::optional<unsigned>(std::size_t)>& byte);

}  // namespace simtlab
