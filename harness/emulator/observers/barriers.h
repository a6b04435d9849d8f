// Do all threads of a block reach the same barrier, and all lanes of a warp the same primitive?
//
// Rules: divergent_barrier (threads of one block wait at different __syncthreads, or some wait elsewhere) and
// exited_before_barrier (CUDA C++ Programming Guide, "Synchronization Functions": __syncthreads is allowed in conditional
// code only if the condition is the same for the whole block; hardware since Volta lets threads go that have returned),
// inactive_lane and mask_without_caller ("Warp Shuffle Functions": a value from a lane that does not take part is undefined,
// and every calling lane must have its bit set in the mask).
#pragma once

#include "observers/observer.h"
#include "report/finding_log.h"

namespace simtlab::emulator {

class barriers final : public observer {
 public:
  explicit barriers(finding_log& findings) : findings_(findings) {}

  void block_begins(const block_info& b) override {
    block_ = b;
    split_ = false;
  }
  void barrier(const barrier_event&) override;
  void warp_primitive(const warp_primitive_event&) override;

 private:
  [[nodiscard]] raw_place place(site where, std::uint32_t thread, std::string action) const;
  void report(raw_finding found, std::uint32_t thread);

  finding_log& findings_;
  block_info block_;
  bool split_ = false;  // the block's threads met at different barriers: whatever follows is a consequence
};

}  // namespace simtlab::emulator
