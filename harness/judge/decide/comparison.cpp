#include "judge/decide/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <deque>

#include "protocol/request.h"
#include "spec/pieces.h"

namespace simtlab {
namespace {

template <class T>
T load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

}  // namespace

// 64-bit integers beyond 2^53 lose digits here; equality is therefore decided on the bytes, this is for show.
double number_at(const std::byte* from, scalar_type type) {
  switch (type) {
    case scalar_type::f32:
      return static_cast<double>(load<float>(from));
    case scalar_type::f64:
      return load<double>(from);
    case scalar_type::i8:
      return load<std::int8_t>(from);
    case scalar_type::u8:
      return load<std::uint8_t>(from);
    case scalar_type::i16:
      return load<std::int16_t>(from);
    case scalar_type::u16:
      return load<std::uint16_t>(from);
    case scalar_type::i32:
      return load<std::int32_t>(from);
    case scalar_type::u32:
      return load<std::uint32_t>(from);
    case scalar_type::i64:
      return static_cast<double>(load<std::int64_t>(from));
    case scalar_type::u64:
      return static_cast<double>(load<std::uint64_t>(from));
  }
  return 0;
}

namespace {

std::size_t bytes_of(scalar_type t) {
  switch (t) {
    case scalar_type::i8:
    case scalar_type::u8:
      return 1;
    case scalar_type::i16:
    case scalar_type::u16:
      return 2;
    case scalar_type::f32:
    case scalar_type::i32:
    case scalar_type::u32:
      return 4;
    default:
      return 8;
  }
}

bool is_integer(scalar_type t) { return t != scalar_type::f32 && t != scalar_type::f64; }

bool is_poison(const std::byte* from, std::size_t bytes) {
  return std::all_of(from, from + bytes, [](std::byte b) { return b == std::byte{poison_byte}; });
}

// One output, scalar by scalar.
class output_comparison {
 public:
  output_comparison(const argument_description& of, const tolerance& allowed, const argument_value& expected,
                    const argument_value* magnitude, const std::vector<std::byte>& actual, bool all_written,
                    const argument_value* input_image = nullptr)
      : of_(of),
        allowed_(allowed),
        expected_(expected),
        magnitude_(magnitude),
        actual_(actual),
        all_written_(all_written),
        input_image_(input_image),
        scalar_bytes_(of.element_bytes / of.components) {}

  std::optional<mismatch> run() {
    const std::size_t count = actual_.size() / scalar_bytes_;
    if (is_all_right(count)) return std::nullopt;
    mismatch found;
    found.argument = of_.name;
    found.integers = is_integer(of_.scalar);
    found.total = count;
    std::deque<std::size_t> good;
    for (std::size_t i = 0; i < count; ++i) {
      if (is_right(i)) {
        if (found.wrong == 0) good.push_back(i);
        if (good.size() > most_good_shown) good.pop_front();
        continue;
      }
      record(i, found);
    }
    if (found.wrong == 0) return std::nullopt;
    for (const std::size_t i : good) found.good_before.push_back(describe(i));
    found.picture = picture();
    return found;
  }

  [[nodiscard]] output_values values() const {
    const std::size_t count = actual_.size() / scalar_bytes_;
    output_values all{
        of_.name, expected_.extents,     numbers_of(expected_.bytes, of_.scalar), numbers_of(actual_, of_.scalar), {},
        {},       is_integer(of_.scalar)};
    for (std::size_t i = 0; i < count; ++i) {
      all.wrong.push_back(!is_right(i));
      all.unwritten.push_back(is_unwritten(i));
    }
    return all;
  }

 private:
  // Shared among the cores: nearly every output is right, and only of a wrong one is more to be told.
  [[nodiscard]] bool is_all_right(std::size_t count) const {
    std::atomic<bool> right = true;
    in_pieces(count, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end && right; ++i)
        if (!is_right(i)) right = false;
    });
    return right;
  }
  [[nodiscard]] const std::byte* expected_at(std::size_t i) const { return expected_.bytes.data() + i * scalar_bytes_; }
  [[nodiscard]] const std::byte* actual_at(std::size_t i) const { return actual_.data() + i * scalar_bytes_; }

  [[nodiscard]] bool is_unwritten(std::size_t i) const {
    return !all_written_ && is_poison(actual_at(i), scalar_bytes_);
  }

  [[nodiscard]] bool is_right(std::size_t i) const {
    if (std::memcmp(expected_at(i), actual_at(i), scalar_bytes_) == 0) return true;
    if (is_integer(of_.scalar)) return false;
    // All ones is a NaN: what nobody wrote is wrong even where NaN is right.
    if (is_unwritten(i)) return false;
    return accepts(allowed_, number_at(expected_at(i), of_.scalar), number_at(actual_at(i), of_.scalar),
                   magnitude_at(i), of_.scalar == scalar_type::f32);
  }

  [[nodiscard]] double magnitude_at(std::size_t i) const {
    return magnitude_ ? number_at(magnitude_->bytes.data() + i * scalar_bytes_, of_.scalar) : 0;
  }

  [[nodiscard]] std::vector<std::size_t> index_of(std::size_t i) const {
    std::vector<std::size_t> index;
    if (of_.components > 1) index.push_back(i % of_.components);
    std::size_t element = i / of_.components;
    for (std::size_t d = expected_.extents.size(); d-- > 1;) {
      index.push_back(element % expected_.extents[d]);
      element /= expected_.extents[d];
    }
    index.push_back(element);
    std::ranges::reverse(index);
    return index;
  }

  [[nodiscard]] std::optional<output_picture> picture() const {
    const shape& extents = expected_.extents;
    if (expected_.is_image) return extents[0] < 2 || extents[1] < 2 ? std::nullopt : std::optional(image());
    if (extents.size() != 2 || of_.components != 1 || extents[0] < 2 || extents[1] < 2) return std::nullopt;
    return draw_output(
        extents[0], extents[1],
        {.expected = [this](std::size_t i) { return number_at(expected_at(i), of_.scalar); },
         .found =
             [this](std::size_t i) { return is_unwritten(i) ? std::nan("") : number_at(actual_at(i), of_.scalar); },
         .is_wrong = [this](std::size_t i) { return !is_right(i); }});
  }

  // A pixel is one element of the picture: as bright as its channels' mean, and wrong if one of them is.
  [[nodiscard]] output_picture image() const {
    const shape& extents = expected_.extents;
    const std::size_t channels = extents[2];
    const auto mean = [=](std::size_t pixel, const auto& value) {
      double sum = 0;
      for (std::size_t i = pixel * channels; i < (pixel + 1) * channels; ++i) sum += value(i);
      return sum / static_cast<double>(channels);
    };
    const auto expected = [this](std::size_t i) { return number_at(expected_at(i), of_.scalar); };
    // White is poison, too: where it is right, somebody wrote it.
    const auto is_missing = [this](std::size_t i) { return is_unwritten(i) && !is_right(i); };
    const auto found = [&](std::size_t i) {
      return is_missing(i) ? std::nan("") : number_at(actual_at(i), of_.scalar);
    };
    const auto is_wrong = [&](std::size_t pixel) {
      for (std::size_t i = pixel * channels; i < (pixel + 1) * channels; ++i)
        if (!is_right(i)) return true;
      return false;
    };
    output_picture made = draw_output(extents[0], extents[1],
                                      {.expected = [&](std::size_t pixel) { return mean(pixel, expected); },
                                       .found = [&](std::size_t pixel) { return mean(pixel, found); },
                                       .is_wrong = is_wrong});
    const auto drawn = [&](const auto& value) { return draw_image(extents[0], extents[1], channels, value); };
    const auto byte_of = [](const std::vector<std::byte>& bytes) {
      return [&bytes](std::size_t i) { return std::optional(std::to_integer<unsigned>(bytes[i])); };
    };
    made.image = image_pictures{
        .channels = channels,
        .input = input_image_ == nullptr ? std::vector<std::string>() : drawn(byte_of(input_image_->bytes)),
        .expected = drawn(byte_of(expected_.bytes)),
        .found = drawn([&](std::size_t i) {
          return is_missing(i) ? std::nullopt : std::optional(std::to_integer<unsigned>(actual_[i]));
        })};
    return made;
  }

  [[nodiscard]] wrong_element describe(std::size_t i) const {
    return {index_of(i), number_at(expected_at(i), of_.scalar), number_at(actual_at(i), of_.scalar), is_unwritten(i)};
  }

  void record(std::size_t i, mismatch& found) const {
    const wrong_element w = describe(i);
    if (found.wrong == 0) found.lowest = found.highest = w.index;
    for (std::size_t d = 0; d < w.index.size(); ++d) {
      found.lowest[d] = std::min(found.lowest[d], w.index[d]);
      found.highest[d] = std::max(found.highest[d], w.index[d]);
    }
    ++found.wrong;
    if (w.never_written) ++found.never_written;
    if (const double error = std::fabs(w.actual - w.expected); std::isfinite(error)) {
      if (error > found.largest_error) {
        found.largest_error = error;
        found.allowed_there = bound_of(allowed_, w.expected, magnitude_at(i), of_.scalar == scalar_type::f32);
      }
      if (!w.never_written && error < most_nearly_right * std::fabs(w.expected)) ++found.nearly_right;
    }
    if (found.first.size() < most_shown) found.first.push_back(w);
  }

  const argument_description& of_;
  const tolerance& allowed_;
  const argument_value& expected_;
  const argument_value* magnitude_;
  const std::vector<std::byte>& actual_;
  bool all_written_;
  const argument_value* input_image_;
  std::size_t scalar_bytes_;
};

// The image that an output image was made of: the first input with its extents.
const argument_value* image_behind(const lab& of, const std::vector<argument_value>& values, std::size_t output) {
  if (!values[output].is_image) return nullptr;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (of.arguments[i].role == argument_role::input && values[i].is_image &&
        values[i].extents == values[output].extents)
      return &values[i];
  return nullptr;
}

template <class T>
void make_absolute(std::vector<std::byte>& bytes) {
  in_pieces(bytes.size() / sizeof(T), [&](std::size_t begin, std::size_t end) {
    for (std::size_t at = begin * sizeof(T); at < end * sizeof(T); at += sizeof(T)) {
      T value = load<T>(bytes.data() + at);
      if (value < T(0)) value = static_cast<T>(-value);
      std::memcpy(bytes.data() + at, &value, sizeof value);
    }
  });
}

}  // namespace

std::optional<mismatch> compare(const lab& of, const tolerance& allowed, const std::vector<argument_value>& expected,
                                const std::vector<argument_value>& magnitudes,
                                const std::vector<std::vector<std::byte>>& actual, const written_bytes& written) {
  for (std::size_t i = 0; i < of.arguments.size(); ++i) {
    if (!is_written(of.arguments[i].role)) continue;
    const argument_value* magnitude = magnitudes.empty() ? nullptr : &magnitudes[i];
    auto found = output_comparison(of.arguments[i], allowed, expected[i], magnitude, actual[i],
                                   written.covers(i, actual[i].size()), image_behind(of, expected, i))
                     .run();
    if (found) found->position = i;
    if (found) return found;
  }
  return std::nullopt;
}

output_values values_of(const lab& of, const tolerance& allowed, std::size_t position,
                        const std::vector<argument_value>& expected, const std::vector<argument_value>& magnitudes,
                        const std::vector<std::vector<std::byte>>& actual, const written_bytes& written) {
  return output_comparison(of.arguments[position], allowed, expected[position],
                           magnitudes.empty() ? nullptr : &magnitudes[position], actual[position],
                           written.covers(position, actual[position].size()))
      .values();
}

std::vector<double> numbers_of(const std::vector<std::byte>& bytes, scalar_type type) {
  const std::size_t size = bytes_of(type);
  std::vector<double> numbers;
  for (std::size_t at = 0; at + size <= bytes.size(); at += size) numbers.push_back(number_at(bytes.data() + at, type));
  return numbers;
}

std::vector<argument_value> absolute_values(const lab& of, std::vector<argument_value> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    switch (of.arguments[i].scalar) {
      case scalar_type::f32:
        make_absolute<float>(values[i].bytes);
        break;
      case scalar_type::f64:
        make_absolute<double>(values[i].bytes);
        break;
      default:
        break;  // integers are sizes or indices
    }
  }
  return values;
}

std::string element_name(const std::string& argument, const std::vector<std::size_t>& index) {
  std::string name = argument;
  for (const std::size_t i : index) name += "[" + std::to_string(i) + "]";
  return name;
}

std::size_t longest_element_name(const mismatch& m) {
  std::size_t longest = 0;
  for (const auto* elements : {&m.good_before, &m.first})
    for (const wrong_element& w : *elements) longest = std::max(longest, element_name(m.argument, w.index).size());
  return longest;
}

std::string number_text(double number, bool integer) {
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number > 0 ? "inf" : "-inf";
  return integer ? fmt::format("{:.0f}", number) : fmt::format("{:.7g}", number);
}

told_apart told_apart_in(const mismatch& m, const wrong_element& w) {
  constexpr int most_digits = 17;  // as many as tell any two doubles apart
  told_apart texts{number_text(w.expected, m.integers), number_text(w.actual, m.integers)};
  for (int digits = 8; texts.expected == texts.actual && w.expected != w.actual && digits <= most_digits; ++digits)
    texts = {fmt::format("{:.{}g}", w.expected, digits), fmt::format("{:.{}g}", w.actual, digits)};
  return texts;
}

bool is_nearly_right(const mismatch& m) { return !m.integers && m.wrong > 0 && m.nearly_right == m.wrong; }

}  // namespace simtlab
