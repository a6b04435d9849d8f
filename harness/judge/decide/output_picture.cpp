#include "judge/decide/output_picture.h"

#include <algorithm>
#include <cmath>

namespace simtlab {
namespace {

constexpr char digits[] = "0123456789abcdef";
constexpr double last_value_digit = 14;
constexpr double all_wrong = 15;

// What one pixel stands for, added up.
struct cell {
  double expected = 0, found = 0;
  std::size_t expected_count = 0, found_count = 0, wrong = 0, total = 0;
};

void add(double value, double& sum, std::size_t& count) {
  if (!std::isfinite(value)) return;
  sum += value;
  ++count;
}

char value_digit(double sum, std::size_t count, double lowest, double highest) {
  if (count == 0) return 'f';
  if (highest <= lowest) return digits[7];  // one colour: neither light nor dark
  const double share = (sum / static_cast<double>(count) - lowest) / (highest - lowest);
  return digits[static_cast<std::size_t>(std::lround(std::clamp(share, 0.0, 1.0) * last_value_digit))];
}

// Rounded up: a single wrong element of a large cell still shows.
char wrong_digit(const cell& c) {
  const double share = static_cast<double>(c.wrong) / static_cast<double>(c.total);
  return digits[static_cast<std::size_t>(std::ceil(share * all_wrong))];
}

}  // namespace

output_picture draw_output(std::size_t rows, std::size_t cols, const picture_source& of) {
  output_picture picture;
  picture.rows = rows;
  picture.cols = cols;
  const std::size_t pixel_rows = std::min(rows, most_pixels), pixel_cols = std::min(cols, most_pixels);
  std::vector<cell> cells(pixel_rows * pixel_cols);
  bool any = false;
  for (std::size_t i = 0; i < rows * cols; ++i) {
    cell& c = cells[i / cols * pixel_rows / rows * pixel_cols + i % cols * pixel_cols / cols];
    const double expected = of.expected(i);
    if (std::isfinite(expected)) {
      picture.lowest = any ? std::min(picture.lowest, expected) : expected;
      picture.highest = any ? std::max(picture.highest, expected) : expected;
      any = true;
    }
    add(expected, c.expected, c.expected_count);
    add(of.found(i), c.found, c.found_count);
    c.wrong += of.is_wrong(i) ? 1U : 0U;
    ++c.total;
  }
  for (std::size_t row = 0; row < pixel_rows; ++row) {
    std::string expected, found, wrong;
    for (std::size_t col = 0; col < pixel_cols; ++col) {
      const cell& c = cells[row * pixel_cols + col];
      expected += value_digit(c.expected, c.expected_count, picture.lowest, picture.highest);
      found += value_digit(c.found, c.found_count, picture.lowest, picture.highest);
      wrong += wrong_digit(c);
    }
    picture.expected.push_back(expected);
    picture.found.push_back(found);
    picture.wrong.push_back(wrong);
  }
  return picture;
}

std::vector<std::string> draw_image(std::size_t rows, std::size_t cols, std::size_t channels,
                                    const std::function<std::optional<unsigned>(std::size_t)>& byte) {
  struct mean {
    std::size_t sum = 0, count = 0;
  };
  const std::size_t pixel_rows = std::min(rows, most_image_pixels), pixel_cols = std::min(cols, most_image_pixels);
  std::vector<mean> means(pixel_rows * pixel_cols * channels);
  for (std::size_t i = 0; i < rows * cols * channels; ++i) {
    const std::optional<unsigned> value = byte(i);
    if (!value) continue;
    const std::size_t pixel = i / channels;
    mean& m = means[(pixel / cols * pixel_rows / rows * pixel_cols + pixel % cols * pixel_cols / cols) * channels +
                    i % channels];
    m.sum += *value;
    ++m.count;
  }
  std::vector<std::string> lines(pixel_rows);
  for (std::size_t i = 0; i < means.size(); ++i) {
    std::string& line = lines[i / channels / pixel_cols];
    if (means[i].count == 0) {
      line += "..";
      continue;
    }
    const std::size_t value = (means[i].sum + means[i].count / 2) / means[i].count;
    line += digits[value / 16 % 16];
    line += digits[value % 16];
  }
  return lines;
}

}  // namespace simtlab
