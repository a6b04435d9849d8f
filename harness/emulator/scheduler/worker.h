// What runs one block, from its first instruction to its last.
//
// Every thread of the block is a fiber. The worker takes the warps in turn and runs each to a standstill: lane after
// lane up to the next synchronisation (a segment), then the segment's requests to the observers, then the warp
// primitives whose lanes have all arrived, and again. A lane that stops hands its turn to the next one by itself, where
// fibers can; the worker goes on when the last one has stopped. When every warp stands still, either all lanes have exited, or the
// block barrier is released, or the block can never go on, which is reported. Lanes that look for a value in vain let the
// others run first; when nobody but them is left, the block is set aside (block_scheduler.h).
//
// Its shared memory is block_shared_memory.h's. Two parts of the class have files of their own: what answers warp primitives
// (warp_primitives.cpp), and what says where the lanes of a block stand (standing_block.cpp).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/closed_memory.h"
#include "core/frame_records.h"
#include "observers/observer.h"
#include "scheduler/block_shared_memory.h"
#include "scheduler/device_coordinates.h"
#include "scheduler/lane.h"
#include "scheduler/lane_states.h"
#include "scheduler/launch.h"
#include "scheduler/parameter_copies.h"
#include "scheduler/stack_memory.h"
#include "scheduler/standing_warps.h"
#include "trace/request_emitter.h"
#include "trace/warp_log.h"

namespace simtlab::emulator {

/// Threads of one block that wait at one place.
struct waiting_threads {
  raw_place place;  ///< of the first
  std::uint64_t threads = 0;
  bool looks = false;    ///< for a value, and may run on
  bool at_grid = false;  ///< at the grid's barrier
};

class worker;
/// The worker whose kernel code this thread runs; null outside kernels.
extern __thread worker* current_worker;

class worker {
 public:
  static constexpr std::size_t largest_block = 1024;

  worker(const memory_map&, std::uint64_t text_bytes);
  worker(const worker&) = delete;
  worker& operator=(const worker&) = delete;

  /// Null while memory is closed: host code runs then, whatever a library's code may have stored to the thread's variable.
  static worker* current() { return is_memory_closed() ? nullptr : current_worker; }

  /// Before the first block of a launch, on the thread that runs them.
  void prepare(running_launch&, const std::vector<observer*>&, progress&);
  void begin_block(std::uint64_t index);
  /// True when the block is over, false when it waits for others.
  [[nodiscard]] bool run_on();
  void end_block();
  /// Once all workers of the launch have come to the end of it: observers sum up.
  void end_launch();
  /// After a launch, so that nobody finds there what the last block has left: its stacks and its dynamic shared memory; and, on the
  /// thread that ran it, its `__shared__` variables.
  void forget_block();
  void forget_shared();
  /// Makes room on this thread for another block, and comes back.
  void park_block();
  void resume_block();
  /// No worker runs on this thread any more.
  static void leave_thread();
  /// Adds the places where threads of the block wait.
  void describe_waiting(std::vector<waiting_threads>&) const;
  /// Adds where its warps stand.
  void describe_standing(std::vector<standing_warps>&) const;

  // What device code asks for, on the asking lane's stack.
  int barrier(site where, bool predicate, int operation);
  /// Until all threads of all blocks have come; the launch is cooperative. What they did before happens before what they do then.
  void grid_barrier(site where, const void* return_address);
  static constexpr unsigned named_barriers = 16;
  /// One of the block's named barriers, until `threads` of it have come; one that only arrives goes on.
  void named_barrier(site where, unsigned number, unsigned threads, bool waits, const void* return_address);
  /// The block can do nothing before other blocks have come to the grid's barrier.
  [[nodiscard]] bool waits_for_grid() const { return launch_->grid_arrivals.load() < grid_target_; }
#ifdef SIMTLAB_OWN_SWITCH
  /// The first half of a barrier without predicate; the caller then switches from its own context to what it is given.
  fiber::context& arrive(site where) {
    arrive(where, false);
    return yield_lane(lane_state::at_barrier);
  }
#endif
  /// The lane has found `value` there: an atomic operation that changed nothing, or a volatile read to come. Lets others
  /// run if this is one look in vain of many.
  void poll(site where, const void* at, std::uint32_t width, std::uint64_t value);
  /// The lane has changed memory by an atomic operation or a volatile write.
  void change(site where, const void* at, std::uint32_t width);
  /// The lane makes an access that may order threads. No return address: a mark would part a volatile write from its value.
  void synchronise(const void* at, const sync_access& what, const void* return_address) {
    if (order_ != nullptr) hand_on(reinterpret_cast<address>(at), what, return_address);
  }
  /// The lane is about to store by an atomic operation or a volatile write. Called before the access is logged.
  void store_begins(const void* at, const void* return_address) {
    if (order_ != nullptr) separate_stores(reinterpret_cast<address>(at), return_address);
  }
  /// The lane reads what may be a compare-and-swap's first guess; it is about to compare and swap.
  void probe(site where, const void* at, std::uint32_t width);
  void compare_with_probe(const void* at, std::uint32_t width, std::uint64_t compare) {
    if (launch_->probes != nullptr)
      launch_->probes->swap(running_->probe, reinterpret_cast<address>(at), width, compare);
  }
  void fence(bool device_scope, const void* return_address);
  /// The lane arrives in a phase of the cuda::barrier at `at`, or has waited until the phase has ended.
  void phase_arrival(const void* at, std::uint64_t phase, bool in_block, const void* return_address);
  void phase_end(const void* at, std::uint64_t phase, bool in_block, const void* return_address);
  const primitive_call& warp_primitive(site where, const primitive_call&);
  void* dynamic_shared() { return shared_.dynamic(); }
  void suspend(lane_state);
  [[nodiscard]] bool in_lane() const { return running_ != nullptr; }
  [[nodiscard]] lane& running() { return *running_; }
  [[nodiscard]] const block_info& block() const { return block_; }
  [[nodiscard]] running_launch& launch() { return *launch_; }
  [[nodiscard]] std::uint32_t thread_of(const lane& l) const;
  [[nodiscard]] std::uint32_t running_thread() const { return thread_of(*running_); }
  /// Where the running lane last accessed memory or branched; 0 where nothing is known.
  [[nodiscard]] site last_site() const { return launch_->traced ? log_.running_site() : 0; }
  /// Whether it lies on a stack of this block.
  [[nodiscard]] bool is_local(const void* at) const { return layout_.local.contains(reinterpret_cast<address>(at)); }
  /// An address of the block's shared memory as an offset in its window, as PTX counts it; `not_shared` of any other address.
  static constexpr std::uint32_t not_shared = 0xffffffff;
  [[nodiscard]] std::uint32_t shared_offset(const void* at) const;
  /// The address at an offset in the window; where the window ends, the offset itself, where no memory of a program is.
  [[nodiscard]] void* shared_address(std::uint32_t offset) const;
  [[nodiscard]] bool is_constant(const void* at) const {
    return layout_.constant.contains(reinterpret_cast<address>(at));
  }
  /// Whether it lies on the running lane's own.
  [[nodiscard]] bool is_own_local(const void* at) const {
    return stacks_.places().thread_of(reinterpret_cast<address>(at)) == thread_of(*running_) && is_local(at);
  }
  /// The lanes' copies of the launch's wide parameters.
  [[nodiscard]] parameter_copies& parameters() { return parameter_copies_; }
  /// Whether `a` lies in the part of a lane's stack that was closed, and is open now. A lane that hands its turn on still uses
  /// its stack when the next one runs.
  bool opens_stack(address a) { return stacks_.open(lanes_.get(), a); }
  static std::string full_stack_text() {
    return "The thread's stack is full (" + std::to_string(stack_memory::bytes_of_one / 1024) +
           " KiB): a recursion that does not end, or a local array that is too large.";
  }
  /// Whether `a` lies in the guard page below the running lane's stack.
  [[nodiscard]] bool is_stack_guard(address a) const { return stack_memory::is_guard(*running_, a); }
  /// Reports the defect at the running lane; `why` becomes the launch's stop reason.
  /// A finding of the lane that runs, which goes on.
  void report_running(rule, site where, const char* action, std::string message);
  void report_stop(rule, site where, std::string message, stop_reason why);
  /// A signal has stopped the running lane in a loop at `where` that logs nothing.
  void note_endless(site where) { stopped_lane_ = {true, thread_of(*running_), where, {where}}; }
  /// Never returns to the running lane. Whatever its frames own is lost, so nothing should be left in them.
  [[noreturn]] void abandon_lane();
  /// The running lane was stopped for an access there, and that is told.
  void note_fault(address at) {
    if (launch_->findings != nullptr && launch_->threads == 1) launch_->info.last_fault = at;
  }
  /// For a lane that a signal stopped at `where`: of its last bundle of accesses only what came before has happened.
  void forget_beyond(site where) {
    if (launch_->traced) log_.forget_beyond(where);
  }
  /// Both.
  [[noreturn]] void end_lane(rule, site where, std::string message, stop_reason why);
  /// A place for a report, naming the running lane.
  [[nodiscard]] raw_place place_of_running(site where, std::string action) const;
  [[nodiscard]] void* rescue_stack_top() { return rescue_stack_.get() + rescue_bytes; }

 private:
  static constexpr std::size_t rescue_bytes = 64 * 1024;
  static constexpr unsigned most_rounds_of_warp =
      1024;  // while lanes wait for one another, before other warps get a turn

  void make_current();
  void wait_at(site where, address at, std::uint32_t width);
  void hand_on(address at, const sync_access&, const void* return_address);
  void separate_stores(address at, const void* return_address);
  /// As observers see it.
  [[nodiscard]] sync_location location_of(address at) const;
  void run_warp(std::uint32_t warp);
  /// Every lane of the warp that may run has a turn. False when none could.
  bool run_lanes(std::uint32_t warp);
  /// The next lane in order, whose turn it is now; null when all have had theirs.
  lane* resume_lane();
  /// The running lane stops, and the next one's turn begins. Where to go on: in that lane or in the scheduler.
#ifdef SIMTLAB_OWN_SWITCH
  fiber::context& yield_lane(lane_state);
#else
  void yield_lane(lane_state);
#endif
  void arrive(site where, bool predicate);
  void stop_endless_loop();
  /// Ends the running lane if it must not store there.
  void check_store(address where, std::uint32_t width);
  bool release_primitives(std::uint32_t warp);
  /// All lanes that can come to an operation of the whole warp have.
  void work_together(std::uint32_t warp, lane_mask group);
  void answer(std::uint32_t warp, lane_mask group, lane_mask exited, lane_mask present);
  void describe_arrivals(barrier_event&) const;
  /// Every warp stands still. False when the block is over.
  bool release_barrier();
  void report_deadlock();
  [[nodiscard]] lane& lane_of(std::uint32_t warp, unsigned i) { return lanes_[warp * warp_size + i]; }
  [[nodiscard]] std::uint32_t warps() const;
  [[nodiscard]] unsigned lanes_in(std::uint32_t warp) const;
  [[nodiscard]] lane_state state_of(std::uint32_t thread) const {
    return states_[thread / warp_size].of(thread % warp_size);
  }
  [[nodiscard]] raw_place place_of(const lane&, site where, std::string action) const;
  static void lane_body(void* self);
  friend void check_store(address, std::uint32_t);

  std::unique_ptr<lane[]> lanes_;
  stack_memory stacks_;
  std::unique_ptr<char[]> rescue_stack_;
  address_layout layout_;  // of the running launch, its shared memory without what is not the program's
  request_emitter emitter_;
  warp_log log_;
  [[nodiscard]] bool any_in(lane_state) const;
  [[nodiscard]] std::string element_at(address, std::uint32_t width) const;

  /// Who waits at the block's barrier.
  struct barrier_arrivals {
    std::uint32_t threads = 0, predicates = 0;  // that came; whose predicate holds
    site where = 0;                             // of one
    bool elsewhere = false;                     // others came at another call
  };

  running_launch* launch_ = nullptr;
  progress* progress_ = nullptr;
  bool traced_ = false;  // as the launch
  lane* running_ = nullptr;
  lane* warp_lanes_ = nullptr;  // of the warp that runs
  lane_states* warp_states_ = nullptr;
  lane_mask to_run_ = 0;  // its lanes whose turn is still to come
  unsigned turn_ = 0, running_lane_ = 0;
  barrier_arrivals arrived_;
  std::array<int, 3> reductions_{};              // of the barrier that was released last
  std::array<std::uint8_t, warp_size> turns_{};  // of the lanes of a warp
  std::array<lane_states, largest_block / warp_size> states_;
  block_info block_;
  block_order* order_ = nullptr;  // of the block
  barrier_event barrier_event_;
  bool leaves_grid_barrier_ = false;
  struct stopped_lane {
    bool known = false;
    std::uint32_t thread = 0;
    site where = 0;
    std::vector<site> loop;
  };
  stopped_lane stopped_lane_;  // that a signal stopped
  struct meeting {
    std::uint32_t arrived = 0, expected = 0;
    std::uint64_t phase = 0;
    std::array<char, 2> of_phase{};  ///< places for the order of threads
  };
  std::array<meeting, named_barriers> meetings_{};
  std::uint64_t grid_target_ = 0;  // arrivals that the block waits for; 0: it does not
  /// Of the warp whose log this is.
  void note_stopped(std::uint32_t warp);
  parameter_copies parameter_copies_;
  block_shared_memory shared_;  // last: what accesses read lies together
};

inline void worker::arrive(site where, bool predicate) {
  lane& l = *running_;
  l.where = where;
  l.predicate = predicate;
  if (arrived_.threads++ == 0) arrived_.where = where;
  arrived_.elsewhere |= arrived_.where != where;
  arrived_.predicates += predicate;
}

// Inlined into what the kernel calls (fiber.h says why).
[[gnu::always_inline]] inline void worker::suspend(lane_state state) {
  lane& l = *running_;
#ifdef SIMTLAB_OWN_SWITCH
  fiber::switch_stacks(l.execution.own(), yield_lane(state));
#else
  yield_lane(state);
  l.execution.suspend();
#endif
}

[[gnu::always_inline]] inline int worker::barrier(site where, bool predicate, int operation) {
  arrive(where, predicate);
  suspend(lane_state::at_barrier);
  return reductions_[static_cast<std::size_t>(operation)];
}

}  // namespace simtlab::emulator
