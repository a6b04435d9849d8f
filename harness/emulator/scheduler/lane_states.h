// Where each lane of a warp stands, as one mask for each state: a warp is looked at and moved on as a whole.
#pragma once

#include <array>
#include <cstdint>

#include "core/types.h"

namespace simtlab::emulator {

enum class lane_state : std::uint8_t {
  ready,         ///< may run, or runs
  log_full,      ///< waits until its log has been merged
  spinning,      ///< looks for a value in vain; may run, but others should first
  at_barrier,    ///< waits at __syncthreads or one of its family
  at_primitive,  ///< waits at a warp primitive
  exited         ///< has returned from the kernel
};

class lane_states {
 public:
  /// All of `lanes` are ready, and the warp has no others.
  void start(lane_mask lanes) {
    in_ = {};
    in_[0] = lanes;
  }
  [[nodiscard]] lane_mask in(lane_state s) const { return in_[static_cast<std::size_t>(s)]; }
  [[nodiscard]] lane_mask may_run() const {
    return in(lane_state::ready) | in(lane_state::log_full) | in(lane_state::spinning);
  }
  [[nodiscard]] lane_state of(unsigned lane) const {
    std::size_t s = 0;
    while ((in_[s] >> lane & 1) == 0) ++s;
    return static_cast<lane_state>(s);
  }
  /// A ready lane is no longer so.
  void suspend(unsigned lane, lane_state s) {
    const lane_mask bit = lane_mask{1} << lane;
    in_[0] &= ~bit;
    in_[static_cast<std::size_t>(s)] |= bit;
  }
  /// Of the lanes in state `s`, these are ready again.
  void make_ready(lane_state s, lane_mask lanes = full_warp) {
    lanes &= in(s);
    in_[static_cast<std::size_t>(s)] &= ~lanes;
    in_[0] |= lanes;
  }

 private:
  std::array<lane_mask, 6> in_{};
};

}  // namespace simtlab::emulator
