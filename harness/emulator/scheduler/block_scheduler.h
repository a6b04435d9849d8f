// The blocks that one host thread runs: one at a time from beginning to end, as long as none waits for another.
//
// A block whose threads look in vain for a value (spin_detector.h), with nobody else of the block able to run, is set aside:
// it keeps the worker that runs it, with its stacks, its observers and what it had in shared memory, and another block
// begins on a worker of its own. Blocks that were set aside get turns again and again. A GPU has room for a limited
// number of blocks at a time, and so has this: beyond it a block that waits for one that can't begin is a deadlock.
//
// When turns change no memory and end no wait for long, the launch is stopped and told as a deadlock, who waits where;
// when memory changes but no thread gets on, as a livelock. What bounds both is the number of looks, not time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "observers/observer.h"
#include "scheduler/launch.h"
#include "scheduler/standing_warps.h"

namespace simtlab::emulator {

class worker;
struct waiting_threads;

/// Why a cooperative launch cannot end: so many threads wait at the grid's barrier for blocks that "have returned from the kernel", say.
[[nodiscard]] std::string grid_deadlock_text(std::uint64_t threads, const std::string& what_others_do);

class block_scheduler {
 public:
  /// `first` and its observers are used while no block waits.
  block_scheduler(running_launch& launch, worker& first, const std::vector<observer*>& observers);

  /// How many threads of a cooperative launch may wait: each has a stack, which takes two of the system's mappings.
  [[nodiscard]] static std::size_t threads_at_a_time();
  /// And how many blocks: each that waits keeps 12 MB of the observers' notes.
  static constexpr std::size_t most_cooperative_blocks = 264;

  /// Runs blocks on the calling thread until none is left or the launch is stopped.
  void run();

 private:
  static constexpr std::size_t most_waiting_threads = 32 * 1024;
  static constexpr std::size_t most_waiting_blocks = 128;
  // How often all waiting threads together look in vain before they are given up.
  static constexpr std::uint64_t fewest_rounds = 64;
  static constexpr std::uint64_t looks_without_change = 1'000'000, looks_without_advance = 100'000'000;

  /// Begins the next block, if there is one and room for it.
  bool start_next();
  bool take_next(std::uint64_t& index);
  [[nodiscard]] worker* free_worker();
  /// Whether this host thread only looks in vain; a deadlock needs all of them to.
  void rest(bool resting);
  void report(rule);
  void report_grid(const waiting_threads& first, std::uint64_t threads, const waiting_threads* other);
  /// The block was stopped before its end.
  void note_standing(const worker&);
  void report_interruption();

  running_launch& launch_;
  std::vector<worker*> waiting_;  // blocks that were set aside
  std::vector<worker*> free_;
  progress progress_;
  std::vector<standing_warps> standing_;
  bool any_left_ = true, resting_ = false;
};

}  // namespace simtlab::emulator
