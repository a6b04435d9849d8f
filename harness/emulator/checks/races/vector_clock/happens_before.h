// What has happened before what in a launch whose program uses fences: happens-before between any two threads of the grid.
//
// Release and acquire as in the PTX memory consistency model ("Release and Acquire Patterns"): a fence releases what its
// thread knows; an atomic operation, or a volatile write behind a fence, hands that on through the location it writes; an
// atomic operation or a volatile read that comes to the location later takes it, and the taker knows it from its next fence
// on. Two things that programs rely on are granted beyond the model: a block barrier makes what its threads have taken
// known to all of them (the programming guide's example of the last block has no second fence), and what a thread released
// before a barrier or a __syncwarp may be handed on by another thread behind it. A block-scope fence orders inside its
// block only.
//
// A cuda::barrier is one word, but each of its phases hands on what it was given by itself and those before: a thread that is
// slow to wait for one phase learns nothing of those who have come for the next.
//
// Threads run ahead of what observers are told of them: atomics and fences take effect when they are executed, accesses
// are checked when the warp's requests have been merged. So every thread has two states. Fences leave a mark in the
// lane's log, and the state that observers see follows from mark to mark. Barriers and __syncwarp come when all has been
// told, and change both. One host thread at a time runs such a launch.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "checks/races/vector_clock/observed_stores.h"
#include "checks/races/vector_clock/vector_clock.h"
#include "core/mix64.h"
#include "core/types.h"

namespace simtlab::emulator {

/// What a strong access does to its location.
struct sync_access {
  bool reads = false;
  bool writes = false;
  bool replaces = false;  ///< a write that is no read-modify-write: what was handed on before ends here
  bool in_block = false;  ///< of block scope: hands on inside its block only
  bool is_volatile = false;
  /// A compare-and-swap that changed its word, or an exchange whose result is used: what a lock is taken by. From which value
  /// to which tells one use of the location from another.
  bool takes = false;
  std::uint64_t from = 0, to = 0;
};

/// A lock, or what looks like one: a location and the change that takes it. 0: none.
using lock_number = std::uint32_t;

/// How far a thread's fences reach.
enum class fence_scope : std::uint8_t { none, block, device };

class block_order;

class happens_before {
 public:
  /// Forgets everything.
  void launch_begins();
  block_order& block_begins(std::uint64_t index, unsigned threads);
  void block_ends(std::uint64_t index);
  [[nodiscard]] block_order& block(std::uint64_t index) { return *blocks_.at(index); }

 private:
  friend class block_order;
  struct strong_access {
    std::uint64_t block = 0;
    unsigned thread = 0;
    logical_time when = 0;
  };
  struct handed_on {
    clock_ref by_device;  ///< behind fences of device scope
    clock_ref by_block;   ///< behind any fence of `owner`, or by accesses of block scope
    std::uint64_t owner = 0;
    std::uint64_t phase = 0;  ///< 1 + the phase of a barrier that it was handed on in
    strong_access last, last_write;
    observed_store last_store;  ///< of a block that makes volatile stores: what other threads see here
  };
  struct location_hash {
    std::size_t operator()(const sync_location& l) const {
      return mix64(l.at ^ mix64(l.block ^ std::uint64_t{l.phase} << 32));
    }
  };

  std::map<std::uint64_t, std::unique_ptr<block_order>> blocks_;
  std::map<std::tuple<std::uint64_t, address, std::uint64_t, std::uint64_t>, lock_number> locks_;
  std::unordered_map<sync_location, handed_on, location_hash> locations_;
};

class block_order {
 public:
  /// What the observers know of a thread.
  struct seen_thread {
    logical_time now = 1;  ///< of its accesses
    clock_ref known;       ///< beyond what the whole block knows
    fence_scope fenced = fence_scope::none;
    lock_number holds = 0;  ///< a lock that it has taken and not given back
    bool bare = false;      ///< and has passed no fence since
    friend bool operator==(const seen_thread&, const seen_thread&) = default;
  };

  block_order(happens_before& order, std::uint64_t index, unsigned threads)
      : order_(order), index_(index), threads_(threads), seen_(threads), touched_(threads) {}

  // While a thread runs.
  /// The mark to leave in the thread's log.
  [[nodiscard]] std::uint32_t fence(unsigned thread, bool device_scope);
  /// The thread is about to store at the place by a strong access: a mark to leave before it, if there is one.
  std::optional<std::uint32_t> store_begins(unsigned thread, const sync_location&);
  /// A mark to leave if there is one.
  std::optional<std::uint32_t> access(unsigned thread, const sync_location&, const sync_access&);
  /// The thread arrives in a phase of the cuda::barrier at that place, or has waited for it: the marks to leave.
  [[nodiscard]] std::uint32_t arrive(unsigned thread, const sync_location&, std::uint64_t phase, bool in_block);
  [[nodiscard]] std::uint32_t phase_ends(unsigned thread, const sync_location&, std::uint64_t phase, bool in_block);
  /// All marks of `warp` have been seen.
  void forget_marks() {
    marks_.clear();
    observed_by_marks_.clear();
  }

  // When all that was done has been told.
  void barrier();
  void syncwarp(unsigned warp, lane_mask lanes);

  // What observers see.
  void see(unsigned thread, address mark) {
    const mark_left& m = marks_[mark];
    if (m.is_fence) touched_[thread].clear();
    if (m.observed != 0) observed_.add(thread, observed_by_marks_[m.observed - 1]);
    seen_[thread] = m.state;
  }
  /// Whether a volatile write of the thread publishes what it did before: it comes behind a fence, and is the thread's first
  /// volatile access to the place since then. A second one, or one behind a read, updates.
  [[nodiscard]] bool publishes(unsigned thread, address at) const;
  /// The thread has made a volatile access.
  void touch(unsigned thread, address at);
  [[nodiscard]] const seen_thread& seen(unsigned thread) const { return seen_[thread]; }
  /// Whether `by`, a thread of this block, knows everything that `block` did before or at `when`.
  [[nodiscard]] bool knows_block(const seen_thread& by, std::uint64_t block, logical_time when) const;
  /// The same for one thread of `block`.
  [[nodiscard]] bool knows(const seen_thread& by, std::uint64_t block, unsigned thread, logical_time when) const;
  /// Whether all atomic operations at the place so far happened before what `lanes` of `warp` do there now by a plain access:
  /// the last of them came after all others, and is `by`'s own or known to it. `own`: whether one of `by`'s own was seen.
  [[nodiscard]] bool has_observed(const seen_thread& by, unsigned warp, lane_mask lanes, bool own, const sync_location&,
                                  bool writes) const;
  /// Whether `reader` has seen, at another place, a store that comes after what `thread` of `block` did at `when`.
  [[nodiscard]] bool has_seen_later(unsigned reader, std::uint64_t block, unsigned thread, logical_time when,
                                    const sync_location& where) const {
    return observed_.is_before_one(reader, block, thread, when, where);
  }

 private:
  using locations = std::unordered_map<sync_location, happens_before::handed_on, happens_before::location_hash>;
  [[nodiscard]] locations& locations_of(const sync_location& l) { return l.block == 0 ? order_.locations_ : shared_; }
  /// Phases of a barrier that are told apart: nobody may wait for one but the last that has ended.
  static constexpr unsigned kept_phases = 4;
  static sync_location of_phase(sync_location barrier, std::uint64_t phase) {
    barrier.phase = 1 + static_cast<unsigned>(phase % kept_phases);
    return barrier;
  }

  struct running_thread {
    logical_time now = 1;
    clock_ref known;                      ///< beyond what the whole block knows
    clock_ref taken_device, taken_block;  ///< known from the next fence on
    clock_ref released_device, released_block;
    fence_scope fenced = fence_scope::none;
    sync_location held;  // the place of `holds`
    lock_number holds = 0;
    bool bare = false;
    std::optional<sync_location> stored;  ///< by a volatile write, and nothing since that a later store comes behind
    observed_store observed;              ///< the last that was marked
  };
  struct mark_left {
    seen_thread state;
    bool is_fence = false;
    std::uint32_t observed = 0;  ///< in `observed_by_marks_`, counted from 1; 0: nothing
  };

  /// The number of a new mark that tells of the thread.
  [[nodiscard]] std::uint32_t mark_of(const running_thread& t, bool is_fence);

  happens_before& order_;
  std::uint64_t index_;
  logical_time now_ = 1;
  logical_time all_until_ = 1;                  ///< what the block did before is known to all of its threads
  clock_ref known_;                             // to all threads
  clock_ref released_device_, released_block_;  // by fences before the last barrier
  std::vector<running_thread> threads_;
  std::vector<seen_thread> seen_;
  std::vector<mark_left> marks_;
  std::vector<observed_store> observed_by_marks_;
  observed_stores observed_;
  bool stores_volatile_ = false;  ///< behind a fence
  bool fenced_since_barrier_ = false;
  std::vector<std::vector<address>> touched_;  // by volatile accesses, for each thread, since its last fence
  locations shared_;                           // in the block's shared memory
};

}  // namespace simtlab::emulator
