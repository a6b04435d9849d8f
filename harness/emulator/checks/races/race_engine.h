// Finds data races in one launch, for one worker: what both engines are to the rest of the checks.
//
// barrier_epochs/ takes launches in which nothing but barriers orders threads: it remembers little, in shadow memory, and
// forgets it at each barrier. vector_clock/ takes launches whose program uses fences: it looks every pair of accesses up in
// happens_before.h. Both apply the same rules (barrier_epoch_races.h); where both can judge a launch, they agree, which
// tests/checks/races/race_engines_random_test.cpp holds.
#pragma once

#include <cstdint>
#include <memory>

#include "observers/observer.h"

namespace simtlab::emulator {

struct access_pattern;
struct worker_memory;
class shared_state;

class race_engine {
 public:
  race_engine() = default;
  race_engine(const race_engine&) = delete;  // it points to the worker's memory
  race_engine& operator=(const race_engine&) = delete;
  virtual ~race_engine() = default;

  virtual void launch_begins(const launch_info&) = 0;
  virtual void block_begins(const block_info&) = 0;
  /// An access to shared or global memory. `lanes`: those whose access is within bounds.
  virtual void check(const warp_request&, const access_pattern&, lane_mask lanes) = 0;
  virtual void barrier(site where) = 0;
  virtual void warp_primitive(const warp_primitive_event&) = 0;
  /// Lanes have passed fences.
  virtual void order(const warp_marks&) {}
  virtual void launch_ends() = 0;

  /// Whether in this launch a block other than `block` stored something plainly in [at, at + bytes).
  [[nodiscard]] virtual bool is_written_by_others(address at, std::uint64_t bytes, std::uint64_t block) = 0;
};

/// The engine for the present launch of `shared`, which must outlive it, as `memory` and `findings` must.
[[nodiscard]] std::unique_ptr<race_engine> make_race_engine(shared_state& shared, worker_memory& memory,
                                                            finding_log& findings);

}  // namespace simtlab::emulator
