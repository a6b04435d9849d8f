// Counts what each request costs the memory system, by the rules of its space: coalescing.h for global memory,
// bank_conflicts.h for shared, constant_words.h for constant, and contention.h for atomics in either.
//
// A texture fetch is a request of the texture space (Nsight Compute: l1tex__t_requests_pipe_tex_mem_texture) with its lanes and the
// bytes that they asked for, one texel each, whatever the filter reads besides. The total is the source's. Its sectors are those
// that the texels would touch if they were loaded, rows after rows. No table shows them: "CUDA arrays are opaque memory layouts"
// (CUDA C++ Programming Guide), and how the texture unit serves the quads of a warp from linear memory is not documented. They
// tell fetches that lie side by side from fetches that do not (judge/score/whole_work.h).
#pragma once

#include "costs/counter_table.h"
#include "observers/observer.h"

namespace simtlab::emulator {

/// The cost of one request on its own.
[[nodiscard]] request_counters cost_of(const warp_request&);

class request_costs final : public observer {
 public:
  [[nodiscard]] detail request_detail() const override { return detail::aggregate; }
  void launch_begins(const launch_info&) override { table_.clear(); }
  void request(const warp_request& r) override {
    if (r.is_extra_filter_tap) return;
    table_.add(r, cost_of(r));
  }
  void repeated(std::uint32_t pattern_id, std::uint64_t times) override { table_.repeat(pattern_id, times); }
  [[nodiscard]] const counter_table& table() const { return table_; }

 private:
  counter_table table_;
};

}  // namespace simtlab::emulator
