// A race drawn: what both threads did since their last common barrier, and the edge that is missing between their accesses. The last
// common barrier is one of the block for threads of one block, one of the grid for threads of two; without any it is the kernel's
// begin. The steps are those of blocks' traces, which have no addresses: they are of the first stretch between two common barriers in
// which both threads make the accesses that the finding names.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "judge/decide/case_outcome.h"
#include "judge/render/source_text.h"

namespace simtlab {

/// Of two accesses.
[[nodiscard]] bool is_race(const finding&);
/// A race of two threads that are known.
[[nodiscard]] bool names_both_threads(const finding&);
/// The same rule, kernel, variable and lines, whichever threads are named.
[[nodiscard]] bool is_same_race(const finding&, const finding&);

/// What one thread did, up to its access.
struct thread_path {
  coordinates thread{}, block{};
  std::vector<std::string> steps;  ///< in words; the last one is the access
};

struct race_paths {
  std::string begin;  ///< where both paths begin: "barrier, line 5", "the kernel begins"
  thread_path first, second;
};

/// Nothing where the traces do not reach both accesses.
[[nodiscard]] std::optional<race_paths> paths_of(const traced_race&, const source_text&);

/// The drawing with the same in words, and what would order the two; without paths a sentence that says why there is none.
[[nodiscard]] std::string race_figure(const traced_race&, const source_text&);

}  // namespace simtlab
