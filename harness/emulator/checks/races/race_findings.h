// Turns conflicts into findings: counts them, keeps the example that every order of execution gives, and says what to do.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>

#include "checks/races/shadow/block_shadow.h"
#include "checks/races/shadow/grid_shadow.h"
#include "checks/races/shadow/interned_histories.h"
#include "checks/shared_state.h"
#include "observers/observer.h"
#include "report/finding_log.h"

namespace simtlab::emulator {

/// The memory that was raced for.
struct raced_element {
  memory_space space{};
  address at = 0;
  variable_id variable = 0;  ///< of the request; the element itself may lie in another
};

/// A thread of the launch: linear indices.
struct launch_thread {
  std::uint64_t block = 0;
  unsigned thread = 0;
};

/// One per worker and launch.
class race_findings {
 public:
  race_findings(shared_state& shared, finding_log& findings) : shared_(shared), findings_(findings) {}

  void launch_begins(const launch_info&);
  void block_begins(const block_info& b) {
    block_ = &b;
    barrier_ = 0;
    syncwarps_ = 0;
  }
  /// The block passes a barrier.
  void barrier(site where) {
    barrier_ = where;
    syncwarps_ = 0;
  }
  /// A warp of the block passes a __syncwarp().
  void syncwarp(unsigned warp) { syncwarps_ |= std::uint64_t{1} << warp % 64; }
  /// Threads of the present block.
  void add(const thread_conflict&, unsigned warp, const raced_element&);
  /// Blocks of the launch. Which of them is chance, so that none is named. Counts the bytes raced for: unlike anything
  /// else, their number does not depend on the order of the blocks.
  void add(const block_conflict&, const raced_element&);
  /// Two threads of a launch whose program uses fences.
  void add(const access_conflict&, const launch_thread& earlier, const launch_thread& later, const raced_element&,
           std::uint64_t times);
  /// Tells the findings that had to wait until it is known whether a read was a guess, and passes the counts on.
  void launch_ends();

 private:
  struct seen {
    std::uint64_t untold = 0;
    sighting best;
  };
  struct pair_in_block {
    unsigned earlier = 0, later = 0;
    bool knows_earlier = true;
    bool shared_write = false;  ///< several threads write the element in one instruction
    std::uint64_t times = 1;
  };
  /// A race of an atomic operation with a read that is a guess as far as is known.
  struct undecided {
    std::uint64_t times = 0;
    sighting best;
    std::function<void(std::uint64_t times)> tell;
  };
  void add_inside_block(const access_conflict&, const pair_in_block&, const raced_element&);
  struct pair_of_blocks {
    launch_thread earlier, later;
  };
  void add_between_blocks(access_conflict, std::uint64_t bytes, const raced_element&, const char* further_advice,
                          std::optional<pair_of_blocks> by = {});
  /// A volatile read and an atomic operation whose scope holds both: no race.
  [[nodiscard]] bool is_of_two_strong(const access_conflict&, bool in_one_block) const;
  [[nodiscard]] rule rule_of(const access_conflict&, memory_space) const;
  /// Keeps the finding back if it is undecided.
  template <class Tell>
  bool wait(const access_conflict&, const finding_key&, const sighting& rank, std::uint64_t times, Tell&&);
  /// Counts; true when the finding must be built.
  bool is_news(const finding_key&, const sighting& rank, std::uint64_t times = 1);

  shared_state& shared_;
  finding_log& findings_;
  launch_info launch_;
  const block_info* block_ = nullptr;
  site barrier_ = 0;             // that the block passed last
  std::uint64_t syncwarps_ = 0;  // warps that have passed a __syncwarp() since, a bit each
  std::unordered_map<finding_key, seen, finding_key_hash> seen_;
  std::unordered_map<finding_key, undecided, finding_key_hash> undecided_;
  bool deciding_ = false;
  bool between_warps_ = false;  // threads of different warps race for shared memory
};

}  // namespace simtlab::emulator
