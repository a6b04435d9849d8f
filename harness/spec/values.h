// What `.arguments` returns: a vector for in<T> and inout<T>, `elements(...)` for out<T>, a value for a scalar.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace simtlab {

/// Extents of an array, slowest first: {rows, cols}. One extent for a plain array.
using shape = std::vector<std::size_t>;

/// The size of an output. `elements(n)`, `elements(rows, cols)`: with two or three extents a wrong element is reported
/// by its row and column. `elements(0)` is an empty array.
class elements {
 public:
  template <class... Extent>
  requires(sizeof...(Extent) > 0 && (std::is_integral_v<Extent> && ...)) explicit elements(Extent... extents)
      : extents_{static_cast<std::size_t>(extents)...} {}
  [[nodiscard]] const shape& extents() const { return extents_; }
  /// The same, of an argument that is a picture.
  [[nodiscard]] elements as_image() const {
    elements made = *this;
    made.image_ = true;
    return made;
  }
  [[nodiscard]] bool is_image() const { return image_; }

 private:
  shape extents_;
  bool image_ = false;
};

/// The contents of an input. A std::vector<T> converts to it; `shaped(vector, rows, cols)` adds the extents.
template <class T>
class values {
 public:
  values(std::vector<T> data) : data_(std::move(data)), extents_{data_.size()} {}
  values(std::vector<T> data, shape extents, bool is_image = false)
      : data_(std::move(data)), extents_(std::move(extents)), image_(is_image) {}
  [[nodiscard]] const std::vector<T>& data() const { return data_; }
  [[nodiscard]] const shape& extents() const { return extents_; }
  [[nodiscard]] bool is_image() const { return image_; }

 private:
  std::vector<T> data_;
  shape extents_;
  bool image_ = false;
};

template <class T, class... Extent>
values<T> shaped(std::vector<T> data, Extent... extents) {
  return {std::move(data), {static_cast<std::size_t>(extents)...}};
}

/// An output that is a picture of 8-bit values: rows of pixels, each with one channel (grey) or three (RGB) side by side.
/// Reports show it as such, by row, column and channel. Its lab names the case's sizes `width`, `height` and `channels`,
/// so that `--input photo.ppm` can give them.
inline elements image(int width, int height, int channels) { return elements(height, width, channels).as_image(); }
/// An input that is a picture.
inline values<unsigned char> image(std::vector<unsigned char> bytes, int width, int height, int channels) {
  return {std::move(bytes), elements(height, width, channels).extents(), true};
}

/// All arguments of one call, in the order of the entry's signature.
template <class... Value>
std::tuple<std::decay_t<Value>...> arguments(Value&&... value) {
  return {std::forward<Value>(value)...};
}

}  // namespace simtlab
