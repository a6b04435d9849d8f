// Values of 32 bits that repeat, told by numbers of 16: equal ones have the same. Shared by all workers.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>

#include "core/lazy_memory.h"
#include "core/mix64.h"

namespace simtlab::emulator {

class interner16 {
 public:
  /// In place of a number, once there are no more.
  static constexpr std::uint16_t none = 0xffff;

  /// A worker's way to the numbers; keeps what it asked for last.
  class view {
   public:
    explicit view(interner16& of) : of_(of), values_(of.values_.data()) {}
    /// `number`: none of `none`. Needs no lock.
    [[nodiscard]] std::uint32_t operator[](std::uint16_t number) const {
      return values_[number].load(std::memory_order_relaxed);
    }
    /// 0 for 0.
    [[nodiscard]] std::uint16_t number_of(std::uint32_t value) {
      if (value == last_.value) return last_.number;
      known& k = known_[place_of(value) % known_.size()];
      if (k.value != value) k = {value, of_.find_or_add(value)};
      last_ = k;
      return k.number;
    }

   private:
    struct known {
      std::uint32_t value = 0;
      std::uint16_t number = 0;
    };
    interner16& of_;
    const std::atomic<std::uint32_t>* values_;
    known last_;
    std::array<known, 64> known_{};
  };

  /// Forgets all numbers but 0; views of before are void.
  void clear() {
    if (used_ == 0) return;
    used_ = 0;
    index_.wipe();
  }

 private:
  static std::size_t place_of(std::uint32_t value) { return mix64(value) >> 47; }
  std::uint16_t find_or_add(std::uint32_t value) {
    if (value == 0) return 0;
    const std::lock_guard lock(adding_);
    std::size_t at = place_of(value);
    for (; index_[at] != 0; at = (at + 1) % index_.size())
      if (values_[index_[at]].load(std::memory_order_relaxed) == value) return index_[at];
    if (used_ + 1 == none) return none;
    values_[++used_].store(value, std::memory_order_relaxed);
    return index_[at] = used_;
  }

  std::mutex adding_;
  lazy_memory<std::atomic<std::uint32_t>> values_{none};
  lazy_memory<std::uint16_t> index_{std::size_t{1} << 17};
  std::uint16_t used_ = 0;
};

}  // namespace simtlab::emulator
