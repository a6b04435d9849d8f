// The counters of a launch that belong to no access: barriers, warp primitives by which lanes tell each other something, the
// basic blocks that warps enter, and how many of them only part of a segment's lanes enter: the places where a warp runs its
// branches one after the other (CUDA C++ Programming Guide, "SIMT Architecture").
#pragma once

#include "observers/observer.h"

namespace simtlab::emulator {

class execution_counters final : public observer {
 public:
  [[nodiscard]] detail request_detail() const override { return detail::none; }
  [[nodiscard]] detail step_detail() const override { return detail::aggregate; }
  void launch_begins(const launch_info&) override {
    steps_ = divergent_steps_ = barriers_ = warp_value_primitives_ = 0;
  }
  void steps(std::uint64_t all, std::uint64_t divergent) override {
    steps_ += all;
    divergent_steps_ += divergent;
  }
  void barrier(const barrier_event&) override { ++barriers_; }
  void warp_primitive(const warp_primitive_event& p) override {
    warp_value_primitives_ += p.operation != warp_operation::syncwarp;
  }

  [[nodiscard]] std::uint64_t steps() const { return steps_; }
  [[nodiscard]] std::uint64_t divergent_steps() const { return divergent_steps_; }
  [[nodiscard]] std::uint64_t barriers() const { return barriers_; }
  [[nodiscard]] std::uint64_t warp_value_primitives() const { return warp_value_primitives_; }

 private:
  std::uint64_t steps_ = 0, divergent_steps_ = 0, barriers_ = 0, warp_value_primitives_ = 0;
};

}  // namespace simtlab::emulator
