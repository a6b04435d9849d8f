// Numbered pieces of memory that stay where they are: taken one by one, given back one by one or all at once. Cut from mappings, because a
// general allocator rounds large blocks up to a power of two.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/lazy_memory.h"

namespace simtlab::emulator {

/// `T`: as lazy_memory wants it.
template <class T>
class slab_pool {
 public:
  /// The number of a piece, never 0. A piece that was in use before holds what it held then.
  std::uint32_t take() {
    if (!free_.empty()) {
      const std::uint32_t number = free_.back();
      free_.pop_back();
      return number;
    }
    if (used_ / per_mapping == mappings_.size()) {
      mappings_.push_back(std::make_unique<lazy_memory<T>>(std::size_t{per_mapping}));
      begins_.push_back(mappings_.back()->data());
    }
    return ++used_;
  }
  [[nodiscard]] T& operator[](std::uint32_t number) {
    return begins_[(number - 1) / per_mapping][(number - 1) % per_mapping];
  }
  [[nodiscard]] const T& operator[](std::uint32_t number) const {
    return begins_[(number - 1) / per_mapping][(number - 1) % per_mapping];
  }
  /// The piece is free for the next take().
  void give_back(std::uint32_t number) { free_.push_back(number); }
  /// How many are taken.
  [[nodiscard]] std::size_t in_use() const { return used_ - free_.size(); }
  /// All are free again; the memory is kept.
  void reuse() {
    free_.clear();
    used_ = 0;
  }
  /// All are free again, and the memory is back with the system.
  void clear() {
    mappings_.clear();
    begins_.clear();
    reuse();
  }

 private:
  static constexpr std::uint32_t per_mapping = 4096;
  std::vector<std::unique_ptr<lazy_memory<T>>> mappings_;
  std::vector<T*> begins_;           // of the mappings
  std::uint32_t used_ = 0;           // pieces that were ever taken since
  std::vector<std::uint32_t> free_;  // those of them that were given back
};

}  // namespace simtlab::emulator
