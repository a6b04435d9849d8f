// What one agent knows to have happened: a vector clock over the threads of a whole grid, kept sparse.
//
// An entry for a block says that everything which all of the block's threads did before a time is known; an entry for a
// thread says the same of that thread alone, and is kept only while it tells more than its block's. Times are those of the
// block (happens_before.h). Clocks are shared by reference and copied when one of several holders changes it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace simtlab::emulator {

/// Counts the synchronisations of one block; 64 bits never wrap.
using logical_time = std::uint64_t;

class vector_clock {
 public:
  static constexpr unsigned thread_bits = 10;
  [[nodiscard]] static constexpr std::uint64_t thread_key(std::uint64_t block, unsigned thread) {
    return block << thread_bits | thread;
  }

  /// Whether what `thread` of `block` did at `when` is known.
  [[nodiscard]] bool covers(std::uint64_t block, unsigned thread, logical_time when) const {
    return find(blocks_, block) > when || (!threads_.empty() && find(threads_, thread_key(block, thread)) > when);
  }
  [[nodiscard]] bool covers_block(std::uint64_t block, logical_time when) const { return find(blocks_, block) > when; }

  void know_block(std::uint64_t block, logical_time until);
  void know_thread(std::uint64_t block, unsigned thread, logical_time until);
  void join(const vector_clock&);

 private:
  struct entry {
    std::uint64_t key;
    logical_time until;
  };
  using entries = std::vector<entry>;  // ordered by key
  [[nodiscard]] static logical_time find(const entries&, std::uint64_t key);
  static void raise(entries&, std::uint64_t key, logical_time until);
  static void merge(entries&, const entries&);

  entries blocks_, threads_;
};

/// Null: nothing is known.
using clock_ref = std::shared_ptr<vector_clock>;

/// A clock that may be changed: made, or copied if others hold it too.
vector_clock& own(clock_ref&);
void join_into(clock_ref& target, const clock_ref& other);

}  // namespace simtlab::emulator
