// What has happened before what inside a block, as far as barriers tell.
//
// Time counts the barriers of a worker: block barriers and __syncwarp alike. A block barrier orders everything before it
// before everything after. __syncwarp orders the memory accesses of the lanes that take part (CUDA C++ Programming Guide,
// "Synchronization Functions": it "guarantees memory ordering among threads participating in the barrier"); the guide gives
// no such guarantee for shuffles, votes and matches ("Warp Shuffle Functions": "do not imply a memory barrier"), so they
// order nothing. Each lane knows, for every lane of its warp, the time until which that lane's accesses are ordered before
// its own; a __syncwarp joins this knowledge over the lanes that take part. Lanes that the mask names and that have
// exited count as taking part.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/types.h"

namespace simtlab::emulator {

class barrier_epochs {
 public:
  using epoch = std::uint32_t;
  static constexpr unsigned most_warps = 32;
  /// The latest time that a cell can hold. Times must not wrap: what still holds times is wiped, and `restart` called, at
  /// the first block barrier that is later than `late`.
  static constexpr epoch latest = (epoch{1} << 26) - 1;
  static constexpr epoch late = latest / 2;

  void restart() { *this = {}; }
  /// All accesses so far are over.
  void barrier() { all_known_until_ = ++now_; }
  void syncwarp(unsigned warp, lane_mask lanes, lane_mask present);

  [[nodiscard]] epoch now() const { return now_; }
  /// Accesses at earlier times are ordered before everything that happens now.
  [[nodiscard]] epoch settled() const { return all_known_until_; }
  /// Whether an access of `earlier` lanes of the warp at time `at` or before is ordered before what `lanes` do now.
  [[nodiscard]] bool is_before(epoch at, lane_mask earlier, unsigned warp, lane_mask lanes) const {
    const warp_state& w = warps_[warp];
    if (at < std::max(w.known_until, all_known_until_)) return true;
    return w.partial_since >= all_known_until_ && w.partial_since != 0 && is_before_in_part(w, at, earlier, lanes);
  }

 private:
  using knowledge = std::array<epoch, warp_size>;
  struct warp_state {
    epoch known_until = 0;  // of every lane by every lane
    epoch partial_since =
        0;  // when `known` began to tell more than that; 0 or before the last block barrier: it does not
    std::array<knowledge, warp_size> known{};
  };
  static bool is_before_in_part(const warp_state&, epoch at, lane_mask earlier, lane_mask lanes);

  epoch now_ = 1, all_known_until_ = 0;
  std::array<warp_state, most_warps> warps_{};
};

}  // namespace simtlab::emulator
