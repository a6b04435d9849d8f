// Do all threads of a block reach the same barrier, and all lanes of a warp the same primitive?
//
// Rules: divergent_barrier (threads of one block wait at different __syncthreads, or some wait elsewhere) and
// exited_before_barrier (CUDA C++ Programming Guide, "Synchronization Functions": __syncthreads is allowed in conditional
// code only if the condition is the same for the whole block; since Volta a barrier waits for all threads that have not
// returned, before Volta it counted warps),
// inactive_lane and mask_without_caller ("Warp Shuffle Functions": a value from a lane that does not take part is undefined,
// and every calling lane must have its bit set in the mask).
//
// Threads that returned early and threads that went around a barrier in a branch have both ended when it is released.
// What the others do behind it tells: if nothing, there was no work to leave early, and the barrier is a divergent one.
#pragma once

#include <optional>

#include "observers/observer.h"
#include "report/finding_log.h"

namespace simtlab::emulator {

class barriers final : public observer {
 public:
  explicit barriers(finding_log& findings) : findings_(findings) {}

  void block_begins(const block_info& b) override {
    block_ = b;
    split_ = false;
    left_.reset();
  }
  void request(const warp_request&) override {
    if (left_) tell_left(true);
  }
  void block_ends() override { tell_left(false); }
  void barrier(const barrier_event&) override;
  void warp_primitive(const warp_primitive_event&) override;

 private:
  /// Threads had ended when the others met at a barrier.
  struct left {
    raw_finding found;
    std::uint32_t thread = 0, exited = 0;
  };
  void tell_left(bool more_follows);
  [[nodiscard]] raw_place place(site where, std::uint32_t thread, std::string action) const;
  void report(raw_finding found, std::uint32_t thread);

  finding_log& findings_;
  block_info block_;
  std::optional<left> left_;
  bool split_ = false;  // the block's threads met at different barriers: whatever follows is a consequence
};

}  // namespace simtlab::emulator
