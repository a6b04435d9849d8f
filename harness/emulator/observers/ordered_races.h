// The race check of launches whose program uses fences: every pair of accesses is looked up in the order that barriers,
// fences and what they hand on make of the grid's threads (sync_order.h).
//
// The rules are those of races.h, which is used, and much cheaper, where there is no fence: then nothing but barriers can
// order threads, and nothing orders blocks. Reads of one word that nothing orders are all remembered; one that happened
// before another of the same site and warp is replaced by it.
#pragma once

#include "observers/access_pattern.h"
#include "observers/access_records.h"
#include "observers/observer.h"
#include "observers/race_findings.h"
#include "observers/shared_state.h"

namespace simtlab::emulator {

class ordered_races {
 public:
  ordered_races(shared_state& shared, finding_log& findings);

  void launch_begins(const launch_info&);
  void block_begins(const block_info&);
  void check(const warp_request&, lane_mask lanes);
  void order(const warp_marks&);
  void barrier() { order_->barrier(); }
  void warp_primitive(const warp_primitive_event&);
  void launch_ends();

  [[nodiscard]] bool is_written_by_others(address a, std::uint64_t bytes, std::uint64_t block);

 private:
  struct touch_context;
  void check_alike(const warp_request&, lane_mask lanes, bool is_strong);
  void touch(const touch_context&, address word, std::uint8_t bytes, lane_mask lanes, std::uint64_t value);
  /// Whether lanes of the record and of this access are different threads that nothing orders; the two threads.
  struct unordered_pair {
    bool found = false;
    unsigned earlier = 0, later = 0;
  };
  [[nodiscard]] unordered_pair unordered(const access_event&, lane_mask earlier, const touch_context&,
                                         lane_mask lanes) const;

  shared_state& shared_;
  finding_log& log_;
  race_findings findings_;
  launch_info launch_;
  const block_info* block_ = nullptr;
  block_order* order_ = nullptr;
  access_records of_block_;  // shared memory
  bool exhausted_ = false;
};

}  // namespace simtlab::emulator
