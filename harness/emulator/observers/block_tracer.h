// What the warps of one block did between which barriers: their requests with what each cost, the basic blocks that only a part of
// a segment's lanes entered, and their warp primitives, in each warp's order (options::traced_block). Local memory is left out, as it
// is in every table of lines (core/request_figures.h).
#pragma once

#include <functional>
#include <vector>

#include "core/memory_map.h"
#include "observers/observer.h"
#include "report/report.h"

namespace simtlab::emulator {

class block_tracer final : public observer {
 public:
  /// Events of each warp, and barriers, that are kept: a picture has room for fewer. Those behind are counted.
  static constexpr std::size_t most_events = 128;

  explicit block_tracer(coordinates block) : block_(block) {}

  [[nodiscard]] bool wants_divergent_steps() const override { return true; }
  void launch_begins(const launch_info&) override;
  void block_begins(const block_info&) override;
  void block_ends() override { is_inside_ = false; }
  void request(const warp_request&) override;
  void divergent_step(const warp_step&) override;
  void barrier(const barrier_event&) override;
  void warp_primitive(const warp_primitive_event&) override;

  [[nodiscard]] bool has_seen_block() const { return !warps_.empty(); }
  [[nodiscard]] block_trace resolve(const std::function<source_line(site)>& line_of, const memory_map& names) const;

 private:
  struct event {
    site where = 0;
    traced_action what{};
    memory_space space{};
    access kind{};
    variable_id variable = 0;
    traced_event told;
  };
  struct warp {
    std::uint32_t lanes = 0;
    std::uint64_t events_in_all = 0;
    std::vector<event> events;
  };

  /// Where the warp's next event goes; null: it is only counted.
  event* next_of(std::uint32_t warp);

  coordinates block_;
  bool is_inside_ = false;
  std::uint64_t barriers_in_all_ = 0;
  struct passed_barrier {
    site where = 0;
    bool of_grid = false;
  };
  std::vector<passed_barrier> barriers_;
  std::vector<warp> warps_;
};

}  // namespace simtlab::emulator
