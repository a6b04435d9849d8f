// What the threads of a block have seen of others' stores by volatile reads and atomic operations, whether or not fences order it.
//
// Volatile keeps each access and no order between two of them. A program that reads one place after another has shown it a later
// store of the same thread counts on that order, and only fences give it (happens_before.h). Of each writer the latest store that
// was seen is kept, and the latest at any other place, because an older value of the place itself is never read again.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>

#include "checks/races/vector_clock/vector_clock.h"
#include "core/types.h"

namespace simtlab::emulator {

/// A location that threads synchronise by.
struct sync_location {
  address at = 0;
  std::uint64_t block = 0;  ///< 1 + block index for shared memory, 0 for global memory
  unsigned phase = 0;       ///< of a cuda::barrier there, as block_order keeps it; 0: the word itself
  friend bool operator==(const sync_location&, const sync_location&) = default;
};

/// A store that a thread has seen, and what stands before it in its writer's program.
struct observed_store {
  std::uint64_t block = 0;  ///< the writer's
  unsigned thread = 0;
  logical_time until = 0;        ///< the writer's accesses before; 0: none was seen
  logical_time block_until = 0;  ///< and those of all threads of its block
  sync_location where;
  friend bool operator==(const observed_store&, const observed_store&) = default;
};

class observed_stores {
 public:
  void add(unsigned reader, const observed_store& s) {
    auto& of_reader = of_readers_[reader];
    raise(of_reader[key_of(s.block, s.thread)], s.until, s.where);
    raise(of_reader[key_of(s.block)], s.block_until, s.where);
  }
  /// A block barrier: what one of the threads has seen, all have.
  void share() {
    for (const auto& [reader, seen] : of_readers_)
      for (const auto& [writer, latest] : seen) {
        raise(of_all_[writer], latest.elsewhere, {});
        raise(of_all_[writer], latest.until, latest.where);
      }
    of_readers_.clear();
  }
  /// Whether `reader` has seen, at another place than `where`, a store that comes after what the thread did at `when`.
  [[nodiscard]] bool is_before_one(unsigned reader, std::uint64_t block, unsigned thread, logical_time when,
                                   const sync_location& where) const {
    const auto found = [&](const seen_by& seen) {
      return seen.until(key_of(block, thread), where) > when || seen.until(key_of(block), where) > when;
    };
    const auto own = of_readers_.find(reader);
    return (own != of_readers_.end() && found(own->second)) || found(of_all_);
  }

 private:
  struct latest_store {
    logical_time until = 0, elsewhere = 0;  ///< at `where`, and at any other place
    sync_location where;
  };
  struct seen_by : std::unordered_map<std::uint64_t, latest_store> {
    [[nodiscard]] logical_time until(std::uint64_t writer, const sync_location& besides) const {
      const auto found = find(writer);
      if (found == end()) return 0;
      return found->second.where == besides ? found->second.elsewhere : found->second.until;
    }
  };

  static std::uint64_t key_of(std::uint64_t block, unsigned thread) {
    return vector_clock::thread_key(block, thread) << 1;
  }
  static std::uint64_t key_of(std::uint64_t block) { return key_of(block, 0) | 1; }
  static void raise(latest_store& latest, logical_time until, const sync_location& where) {
    if (latest.where == where) {
      latest.until = std::max(latest.until, until);
    } else if (until < latest.until) {
      latest.elsewhere = std::max(latest.elsewhere, until);
    } else {
      latest = {until, latest.until, where};
    }
  }

  std::unordered_map<unsigned, seen_by> of_readers_;
  seen_by of_all_;
};

}  // namespace simtlab::emulator
