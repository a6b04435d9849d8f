// Notices that a lane spins: it comes back to the same few places and finds them as they were.
#pragma once

#include <array>
#include <cstdint>

#include "core/types.h"

namespace simtlab::emulator {

class spin_detector {
 public:
  static constexpr unsigned patience = 32;              ///< idle polls before the lane lets others run
  static constexpr unsigned patience_of_change = 4096;  ///< changes of the same places before it does

  /// One atomic operation that changed nothing, or one volatile read. True when the lane should wait.
  bool poll(address at, std::uint64_t value) {
    const std::size_t i = place_of(at);
    idle_polls_ = known_ && value_[i] == value ? idle_polls_ + 1 : 0;
    value_[i] = value;
    if (idle_polls_ < patience) return false;
    idle_polls_ = 0;
    return true;
  }
  /// One atomic operation or volatile write that changed memory.
  bool change(address at) {
    idle_polls_ = 0;
    place_of(at);
    changes_ = known_ ? changes_ + 1 : 0;
    if (changes_ < patience_of_change) return false;
    changes_ = 0;
    return true;
  }

 private:
  static constexpr std::size_t places = 4;
  /// Where the place is remembered; `known_` tells whether it was.
  std::size_t place_of(address at) {
    for (std::size_t i = 0; i < places; ++i) {
      known_ = at_[i] == at;
      if (known_) return i;
    }
    next_ = (next_ + 1) % places;
    at_[next_] = at;
    return next_;
  }

  std::array<address, places> at_{};
  std::array<std::uint64_t, places> value_{};
  std::size_t next_ = 0;
  unsigned idle_polls_ = 0, changes_ = 0;
  bool known_ = false;
};

}  // namespace simtlab::emulator
