// Values that repeat, told by numbers: equal ones have the same.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "core/mix64.h"

namespace simtlab::emulator {

/// `T`: trivially copyable, of whole 32-bit words and without padding.
template <class T>
class interner {
 public:
  /// The number of `value`, never 0.
  std::uint32_t number_of(const T& value) {
    if (const std::uint32_t known = find(value); known != 0) return known;
    if (3 * (values_.size() + 1) > 2 * index_.size()) grow();
    values_.push_back(value);
    return index_[place(value)] = static_cast<std::uint32_t>(values_.size());
  }
  /// 0 if it has none.
  [[nodiscard]] std::uint32_t find(const T& value) const { return index_[place(value)]; }
  [[nodiscard]] const T& operator[](std::uint32_t number) const { return values_[number - 1]; }
  [[nodiscard]] std::size_t size() const { return values_.size(); }

 private:
  using words = std::array<std::uint32_t, sizeof(T) / 4>;
  static words bits(const T& value) { return std::bit_cast<words>(value); }
  /// Where `value` is in the index, or would be.
  [[nodiscard]] std::size_t place(const T& value) const {
    std::uint64_t hash = 0;
    for (const std::uint32_t word : bits(value)) hash = mix64(hash ^ word);
    std::size_t at = hash & (index_.size() - 1);
    while (index_[at] != 0 && bits(values_[index_[at] - 1]) != bits(value)) at = (at + 1) & (index_.size() - 1);
    return at;
  }
  void grow() {
    index_.assign(2 * index_.size(), 0);
    for (std::size_t i = 0; i < values_.size(); ++i) index_[place(values_[i])] = static_cast<std::uint32_t>(i + 1);
  }

  std::vector<T> values_;
  std::vector<std::uint32_t> index_ = std::vector<std::uint32_t>(64);
};

}  // namespace simtlab::emulator
