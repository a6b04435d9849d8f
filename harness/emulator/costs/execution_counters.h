// The counters of a launch that belong to no access: barriers, warp primitives by which lanes tell each other something, the
// requests of the busiest warp, the warps that make any, the basic blocks that warps enter, and how many of these only part of a segment's lanes enter:
// the places where a warp runs its branches one after the other (CUDA C++ Programming Guide, "SIMT Architecture").
#pragma once

#include <algorithm>

#include "core/counters.h"
#include "observers/observer.h"

namespace simtlab::emulator {

class execution_counters final : public observer {
 public:
  [[nodiscard]] detail request_detail() const override { return detail::none; }
  [[nodiscard]] detail step_detail() const override { return detail::aggregate; }
  void launch_begins(const launch_info&) override { totals_ = {}; }
  void steps(std::uint64_t all, std::uint64_t divergent) override {
    totals_.steps += all;
    totals_.divergent_steps += divergent;
  }
  void busiest_warp(std::uint64_t requests) override {
    totals_.busiest_warp_requests = std::max(totals_.busiest_warp_requests, requests);
  }
  void working_warps(std::uint64_t warps) override { totals_.working_warps += warps; }
  void instructions(std::uint64_t warps, std::uint64_t lanes) override {
    totals_.warp_instructions += warps;
    totals_.lane_instructions += lanes;
  }
  void barrier(const barrier_event&) override { ++totals_.barriers; }
  void warp_primitive(const warp_primitive_event& p) override {
    totals_.warp_value_primitives += p.operation != warp_operation::syncwarp;
    totals_.warp_votes += p.operation == warp_operation::vote;
  }

  [[nodiscard]] const launch_totals& totals() const { return totals_; }

 private:
  launch_totals totals_;
};

}  // namespace simtlab::emulator
