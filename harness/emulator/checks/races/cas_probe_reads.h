// Plain reads that are nothing but the first guess of a compare-and-swap, as the programming guide's own loop begins:
// `old = *address; do { assumed = old; old = atomicCAS(address, assumed, …); } while (assumed != old);`
//
// Such a read races with the atomic operations of others and is harmless: a swap whose comparison holds has verified the
// guess, and one whose comparison fails replaces it. It is called a guess only if both hold:
//   1. from the read no way leads out of its function, or back to the read, but through an atomicCAS. The assembly rewrite
//      (translator/cas_probe_reads.h) looks at the code, so this does not depend on what a run happened to do: a look at a
//      lock before the swap, or a maximum that is swapped only if it is larger, is no guess.
//   2. each time, the thread's next atomicCAS was to the same address, of the same width, and compared with the value read.
//      One that was not refutes the read's site, for the launch.
// Written while lanes run, by the one host thread of such a launch; read when it is over.
#pragma once

#include <cstdint>
#include "checks/races/site_table.h"
#include "core/types.h"

namespace simtlab::emulator {

/// A probe that no swap has been made for yet; one per lane.
struct pending_probe {
  site where = 0;  ///< of the read; 0: none
  address at = 0;
  std::uint32_t width = 0;
  std::uint64_t value = 0;
};

class cas_probe_reads {
 public:
  void launch_begins() { sites_.clear(); }

  /// The lane of `pending` reads such a word.
  void probe(pending_probe& pending, const pending_probe& next) {
    if (pending.where != 0) sites_.at(pending.where) = standing::refuted;
    if (standing& s = sites_.at(next.where); s == standing::none) s = standing::held;
    pending = next;
  }
  /// The lane of `pending` is about to compare `width` bytes at `at` with `compare`.
  void swap(pending_probe& pending, address at, std::uint32_t width, std::uint64_t compare) {
    if (pending.where == 0) return;
    if (pending.at != at || pending.width != width || pending.value != compare)
      sites_.at(pending.where) = standing::refuted;
    pending = {};
  }

  /// Whether the reads at `where` may be guesses, as far as the code tells.
  [[nodiscard]] bool is_candidate(site where) const { return sites_.of(where) != standing::none; }
  /// Whether all of them were. Known when the launch is over.
  [[nodiscard]] bool is_probe(site where) const { return sites_.of(where) == standing::held; }

 private:
  enum class standing : std::uint8_t { none, held, refuted };
  site_table<standing> sites_;
};

}  // namespace simtlab::emulator
