// Does every lane keep to its own local memory?
//
// Rule: foreign_local_memory. The address of a local variable means something in its own thread alone: every thread has local
// memory of its own at the same addresses (PTX ISA, "Local State Space" and "Generic Addressing"). A pointer that another
// thread made, and that came by a shuffle or by way of shared or global memory, leads to the reader's own memory on a GPU.
// Not seen: the pointer of an earlier block's thread with the same number, whose stack this one has taken over.
#pragma once

#include "observers/observer.h"
#include "report/finding_log.h"

namespace simtlab::emulator {

class local_memory {
 public:
  explicit local_memory(finding_log& findings) : findings_(findings) {}

  void block_begins(const block_info& b) { block_ = &b; }

  /// `r`: of local memory, which literals and tables count as, too. What repeats a request in order is in order.
  void check(const warp_request& r) {
    if (r.repeats) return;
    const lane_stacks& stacks = block_->stacks;
    const address first = stacks.of(r.warp * warp_size);
    for (lane_mask rest = r.active; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
      if (r.addresses[lane] - (first + stacks.stride * lane) >= stacks.stride) [[unlikely]]
        look_closer(r, lane);
    }
  }

 private:
  void look_closer(const warp_request&, unsigned lane);

  finding_log& findings_;
  const block_info* block_ = nullptr;
};

}  // namespace simtlab::emulator
