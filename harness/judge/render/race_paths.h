// A race of two threads of one block, drawn: what each did since their last common barrier, and the edge that is missing between the
// two accesses. The steps are those of a block's trace, which has no addresses: they are of the first stretch between two
// barriers in which both threads make the accesses that the finding names.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "judge/render/source_text.h"
#include "protocol/measurement.h"

namespace simtlab {

/// Whether both accesses of the finding are threads' of one block.
[[nodiscard]] bool is_race_inside_block(const finding&);

/// What one thread did, up to its access.
struct thread_path {
  coordinates thread{};
  std::vector<std::size_t> steps;  ///< in block_trace::places; the last one is the access
};

struct race_paths {
  std::uint64_t epoch = 0;  ///< barriers of the block before
  thread_path first, second;
};

/// Nothing where the trace is of another block or kernel, or does not reach both accesses.
[[nodiscard]] std::optional<race_paths> paths_of(const finding&, const launch_counters&, const block_trace&);

/// The drawing with the same in words; "" without paths.
[[nodiscard]] std::string race_figure(const finding&, const launch_counters&, const block_trace&, const source_text&);

}  // namespace simtlab
