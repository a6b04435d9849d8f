// A list with room for few entries in itself: what it holds lies where the object does, not in memory that may be closed.
#pragma once

#include <array>
#include <cstddef>
#include <stdexcept>

namespace simtlab::emulator {

template <class T, std::size_t most>
class inline_list {
 public:
  void push_back(const T& added) {
    if (count_ == most) throw std::length_error("an inline_list is full");
    entries_[count_++] = added;
  }
  void clear() { count_ = 0; }
  [[nodiscard]] const T* begin() const { return entries_.data(); }
  [[nodiscard]] const T* end() const { return entries_.data() + count_; }

 private:
  std::array<T, most> entries_{};
  std::size_t count_ = 0;
};

}  // namespace simtlab::emulator
