// Takes the mark of host code's values from the bytes that a kernel stores to (runtime/host_work.h). Wanted only while there
// are marks: programs whose data stays on the device have none.
#pragma once

#include <bit>

#include "checks/memory/initialised_bytes.h"
#include "observers/observer.h"

namespace simtlab::emulator {

class kernel_stores final : public observer {
 public:
  explicit kernel_stores(initialised_bytes& marks) : marks_(marks) {}

  void request(const warp_request& r) override {
    if (r.kind == access::read || r.space != memory_space::global) return;
    for (lane_mask rest = r.active; rest != 0; rest &= rest - 1)
      marks_.forget(r.addresses[std::countr_zero(rest)], r.width);
  }

 private:
  initialised_bytes& marks_;
};

}  // namespace simtlab::emulator
