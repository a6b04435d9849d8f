// The race check of launches whose program uses fences: every pair of accesses is looked up in the order that barriers,
// fences and what they hand on make of the grid's threads (happens_before.h).
//
// The rules are those of barrier_epoch_races.h, which is used, and much cheaper, where there is no fence: then nothing but barriers can
// order threads, and nothing orders blocks. Reads of one word that nothing orders are all remembered; one that happened
// before another of the same site and warp is replaced by it.
#pragma once

#include "checks/access_pattern.h"
#include "checks/races/race_engine.h"
#include "checks/races/race_findings.h"
#include "checks/races/vector_clock/access_records.h"
#include "checks/shared_state.h"
#include "observers/observer.h"

namespace simtlab::emulator {

class vector_clock_races final : public race_engine {
 public:
  vector_clock_races(shared_state& shared, finding_log& findings);

  void launch_begins(const launch_info&) override;
  void block_begins(const block_info&) override;
  void check(const warp_request&, const access_pattern&, lane_mask lanes) override;
  void order(const warp_marks&) override;
  void barrier(site where) override {
    order_->barrier();
    findings_.barrier(where);
  }
  void warp_primitive(const warp_primitive_event&) override;
  void launch_ends() override;

  [[nodiscard]] bool is_written_by_others(address at, std::uint64_t bytes, std::uint64_t block) override;

 private:
  struct touch_context;
  /// Whether each of the lanes has made the same access at the same time: what can be found by it was found.
  [[nodiscard]] bool was_made(const warp_request&, lane_mask lanes);
  void check_alike(const warp_request&, lane_mask lanes, access_strength);
  /// Of a volatile access of `lane`.
  [[nodiscard]] access_strength strength_of_volatile(const warp_request&, unsigned lane);
  struct unordered_bytes;
  /// Lanes in a row, each with bytes in its own of the stretches of `unit` bytes that memory consists of.
  struct lane_row {
    unsigned first = 0;  ///< its address is the lowest
    unsigned lanes = 0, unit = 0;
    int step = 1;  ///< from lane to lane, upwards in memory
    [[nodiscard]] unsigned lane(unsigned i) const {
      return static_cast<unsigned>(static_cast<int>(first) + step * static_cast<int>(i));
    }
  };
  /// `is_known`: what is stored.
  void touch_row(const touch_context&, const lane_row&, bool is_known);
  /// Lanes that touch the same bytes.
  void touch_alone(const touch_context&, address at, lane_mask, bool is_known);
  /// Bytes of one line; `stored`: null if not known.
  void touch(const touch_context&, address line, const touched_bytes&, const line_contents* stored);
  /// The last record of `path_` leaves the line's list.
  void take_out(access_records&, access_records::line&, std::uint32_t& list);
  /// The record tells the access, too; its contents already do.
  static access_record joined(const touch_context&, access_record, const touched_bytes&, const line_contents* stored);
  [[nodiscard]] unordered_bytes unordered(const access_event&, const touched_bytes& earlier, const touch_context&,
                                          const touched_bytes& now) const;
  [[nodiscard]] bool counts_on_order(const access_event& earlier, const touch_context&, unordered_bytes& open,
                                     const touched_bytes& now) const;
  [[nodiscard]] bool is_ordered_by_chance(const access_event& earlier, const touch_context&) const;
  /// Of the bytes that an atomic operation has touched: those where the last one so far happened before this plain access.
  [[nodiscard]] std::uint64_t observed(const touch_context&, address line, const access_records::line&,
                                       const access_event& atomic, std::uint64_t bytes, const touched_bytes& now) const;
  void report(const touch_context&, address line, const access_event& earlier, const unordered_bytes&,
              const touched_bytes& one, const line_contents* one_stored, const touched_bytes& two,
              const line_contents* two_stored);

  shared_state& shared_;
  finding_log& log_;
  race_findings findings_;
  launch_info launch_;
  const block_info* block_ = nullptr;
  block_order* order_ = nullptr;
  access_records of_block_;          // shared memory
  std::vector<std::uint32_t> path_;  // records that were passed in a list
  struct last_look {
    site where = 0;
    address at = 0;
    logical_time when = 0;
    lock_number holds = 0;
    friend bool operator==(const last_look&, const last_look&) = default;
  };
  std::vector<last_look> looks_;  // of a volatile read or an atomic operation that changes nothing, by thread
  bool exhausted_ = false;
  bool any_in_block_ = false;  // atomic operations of block scope on global memory
};

}  // namespace simtlab::emulator
