// Do two threads touch one location, at least one of them writing plainly, with nothing to order them?
//
// Rules: shared_race; global_race, inside a block or between blocks; same_value_race when all writes of the location's
// history stored one value and only writes conflict. A plain read against an atomic is a race, atomic against atomic is
// not (CUDA C++ Programming Guide, "Memory Consistency Model"; PTX ISA, "Data-races and conflicts": morally strong or
// ordered, otherwise a race). What orders accesses is in barrier_epochs.h; blocks of one launch are never ordered, launches
// always are. Races are found whatever order the emulator happened to choose, and byte by byte.
#pragma once

#include <vector>

#include "checks/access_pattern.h"
#include "checks/races/race_engine.h"
#include "checks/races/race_findings.h"
#include "checks/races/shadow/block_shadow.h"
#include "checks/races/shadow/grid_shadow.h"
#include "checks/shared_state.h"
#include "observers/observer.h"

namespace simtlab::emulator {

class barrier_epoch_races final : public race_engine {
 public:
  barrier_epoch_races(shared_state& shared, worker_memory& memory, finding_log& findings);

  void launch_begins(const launch_info&) override;
  void block_begins(const block_info&) override;
  void check(const warp_request&, const access_pattern&, lane_mask lanes) override;
  void barrier(site where) override {
    settle();
    findings_.barrier(where);
  }
  void warp_primitive(const warp_primitive_event&) override;
  void launch_ends() override;

  [[nodiscard]] bool is_written_by_others(address at, std::uint64_t bytes, std::uint64_t block) override {
    return blocks_.is_written_by_others(at, bytes, block);
  }

 private:
  /// What is the same for all words of one request.
  struct context;
  template <class Lines>
  void check_in(Lines&, const warp_request&, const access_pattern&, lane_mask);
  template <class Lines>
  void check_runs(Lines&, const warp_request&, const access_pattern&);
  template <class Lines>
  void check_words(Lines&, const warp_request&, const access_pattern&);
  /// Those from the address `rest` on.
  template <class Lines>
  void check_words_from(Lines&, address rest, const warp_request&, const access_pattern&);
  template <class Lines>
  void check_lanes(Lines&, const warp_request&, lane_mask);
  /// `bytes`: 4 for a word, 1 for a byte.
  void touch_threads(block_shadow::open_line&, context&, address, unsigned bytes, const lane_access&);
  void read_blocks(context&, address begin, address end);
  void touch_blocks(context&, address, unsigned bytes, const block_store&);
  void tell_conflicts(const warp_request&);
  /// All that the block did so far is ordered before all that it does from now on.
  void settle();
  /// Of the shapes of cells that many changes have left.
  void drop_unused_shapes();
  /// Forgets what the block did since its last barrier.
  void restart_time();

  shared_state& shared_;
  worker_memory& memory_;
  finding_log& log_;
  block_shadow threads_;
  grid_shadow::view blocks_;
  race_findings findings_;
  launch_info launch_;
  const block_info* block_ = nullptr;
  bool many_blocks_ = false;  // whether blocks can race with one another
  bool forgot_times_ = false;
  std::vector<block_conflict> conflicts_;
};

}  // namespace simtlab::emulator
