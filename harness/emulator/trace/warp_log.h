// From what each lane did to what the warp did.
//
// A warp's lanes run one after the other, each from one synchronisation to the next: a segment. The first lane of a
// segment writes a template, the sequence of its keys; every lane, the first included, stores only its addresses, in
// rows of 32 so that row i holds what all lanes addressed at template place i. Beside the keys stand tokens, which lanes
// compare with: one per bundle of events (bundle.h), at the first of its rows, and one for each event outside of bundles,
// its key. As long as the lanes follow the template a row is a warp request. A lane that does something else leaves the template and logs its own records from there on;
// what is left of such a segment is merged the slow way: of the lanes' next records those with the smallest order
// (deepest call, then lowest address) run together.
//
// When a lane's log is full the lane is suspended, and the merge goes on as far as it can: it must stop when a lane that
// has more to come has no record left, because that record might have to run with, or before, the others'.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/types.h"
#include "trace/bundle.h"
#include "trace/hook_state.h"
#include "trace/record.h"
#include "trace/request_emitter.h"

namespace simtlab::emulator {

class warp_log {
 public:
  static constexpr std::size_t capacity = 1024;  ///< events a lane may log before it is suspended
  static constexpr std::size_t most_warps = 32;  ///< of a block

  explicit warp_log(request_emitter&);

  /// Before a launch: whether writes log the values they stored.
  void log_values(bool values);
  /// Lanes that run from now on log nothing, whatever their hooks say.
  void ignore_hooks();
  /// No warp has made a request in the block that begins.
  void start_block() { works_ = {}; }
  /// Forgets what is logged. `warp` names the warp in the events to come, which may have run before.
  void start_warp(std::uint32_t warp);

  /// Points this thread's hooks at the place of `lane`; `depth` is its call depth.
  void enter_lane(unsigned lane, std::uint8_t depth);
  /// Takes the hooks away again. Returns the number of events the lane logged since `enter_lane`.
  std::uint64_t leave_lane(unsigned lane);
  /// Whether a suspended lane may run on; a long backlog must be merged first.
  [[nodiscard]] bool has_room(unsigned lane) const;

  /// Emits what can be emitted. `more_to_come`: lanes that were suspended because their log was full.
  void merge(lane_mask more_to_come);

  /// Whether the running lane has logged, of late, an access that holds these bytes. Changes general registers alone.
  [[nodiscard]] bool holds(address, std::uint32_t bytes, bool is_write) const;

  /// The cold path of a hook, on the lane's own stack; see hook_state.h.
  void log_slowly(address where, record_key key);
  void enter_bundle(record_key token);
  /// The lane whose hooks are set stopped at `where` without executing the rest of its bundle, which it had claimed.
  void forget_beyond(site where);
  /// The last thing the lane logged; 0 if nothing.
  [[nodiscard]] site last_site(unsigned lane) const;
  /// The same for the lane whose hooks are set, while it runs.
  [[nodiscard]] site running_site() const;
  /// Where the lane came by more than once in the last stretch of its log; empty if it is in no loop, or a longer one.
  [[nodiscard]] std::vector<site> repeated_sites(unsigned lane) const;

 private:
  /// Records of a lane that is not on the template. The first third of the storage is room for what it did before it
  /// left, the second for what it logs since; both may still be there, from the second third on, after a merge.
  struct backlog {
    std::unique_ptr<lane_record[]> storage;
    lane_record *begin = nullptr, *end = nullptr;
    [[nodiscard]] bool empty() const { return begin == end; }
    [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(end - begin); }
  };
  static constexpr std::size_t rows = capacity + 2;
  static constexpr std::size_t most_backlog = 2 * rows;  // place in its storage where a lane is suspended

  /// Fewest and most rows that a lane of `ran_` filled.
  [[nodiscard]] std::pair<std::size_t, std::size_t> lengths() const;
  [[nodiscard]] std::size_t place() const { return static_cast<std::size_t>(hooks.token() - tokens_.get()); }
  void reset(backlog&);
  /// Records in the lane's backlog.
  [[nodiscard]] std::size_t backlogged(unsigned lane) const {
    return (used_ >> lane & 1) == 0 ? 0 : backlog_[lane].size();
  }
  /// The running lane does something else than the template.
  void leave_template();
  /// The addresses of the running lane's last bundle, if it lies in the backlog, are still in `loose_rows_`.
  void collect_loose_rows();
  void prepend(backlog&, unsigned lane, std::size_t from, std::size_t to);
  void merge_slowly(lane_mask more_to_come);
  [[nodiscard]] static bool is_write(record_key k) { return kind_of(k) == record_kind::write; }

  request_emitter& emitter_;
  bool values_ = false;
  bool ignores_ = false;
  std::uint32_t warp_ = 0;
  std::uint64_t requests_ = 0;            // that were emitted of the warp since it was started
  std::array<bool, most_warps> works_{};  // which warps of the block have made any
  unsigned lane_ = 0;                     // whose hooks are set
  lane_mask ran_ = 0;                     // lanes that ran since the last merge
  std::unique_ptr<record_key[]> template_, tokens_;
  std::unique_ptr<std::uint64_t[]> rows_;
  std::array<std::int16_t, warp_size> length_{};  // rows that a lane of `ran_` filled
  std::array<backlog, warp_size> backlog_;
  lane_mask used_ = 0;  // lanes whose backlog may hold something
  // Of the lane whose hooks are set:
  bool left_ = false;       // it is not on the template
  std::size_t before_ = 0;  // backlog when it was entered
  std::size_t loose_ = 0;   // records at the end of its backlog
  std::array<std::uint64_t, bundle::most_events * warp_size> loose_rows_{};
};

inline void warp_log::enter_lane(unsigned lane, std::uint8_t depth) {
  lane_ = lane;
  before_ = backlogged(lane);
  left_ = before_ != 0;
  if (left_) length_[lane] = 0;
  hooks.set_token(left_ ? &simtlab_no_template : tokens_.get());
  hooks.row = rows_.get() + lane;
  hooks.depth = record_key{depth} << 56;
}

inline std::uint64_t warp_log::leave_lane(unsigned lane) {
  if (hooks.pending != nullptr) settle_pending_write();
  if (loose_ != 0) collect_loose_rows();
  if (!left_) length_[lane] = static_cast<std::int16_t>(place());
  hooks.row = nullptr;
  hooks.last_write = nullptr;
  hooks.last_volatile = {};
  hooks.leave_template();
  ran_ |= lane_mask{1} << lane;
  return static_cast<std::size_t>(length_[lane]) + backlogged(lane) - before_;
}

/// The log of the warp that this thread runs; set by the scheduler.
extern __thread warp_log* current_log;

/// Provided by the scheduler: suspends the running lane until its log has been merged.
void suspend_full_lane();

}  // namespace simtlab::emulator
