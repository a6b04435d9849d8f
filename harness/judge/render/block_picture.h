// What the warps of one block did between which barriers, drawn: a row is a warp, from left to right what it did in its order. The
// emulator has no clock, so a column is a step and no time. Behind a barrier all warps begin at one column.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "judge/render/source_text.h"
#include "protocol/measurement.h"

namespace simtlab {

/// Columns of the drawing: those of an epoch as many as the warp has events that has most there, then one for its barrier.
struct block_columns {
  struct epoch {
    std::size_t first = 0, count = 0;  ///< columns of events that are shown
    bool has_barrier = false;          ///< behind them, shown, too
  };
  std::vector<epoch> epochs;  ///< the first ones
  std::size_t count = 0;      ///< of all columns
  bool is_whole = true;       ///< all that the warps did is shown
};

/// At most `most` columns.
[[nodiscard]] block_columns columns_of(const block_trace&, std::size_t most);

/// 0: a request costs no more than the fewest sectors or wavefronts that would do, 1: up to twice as many, 2: up to 8 times, 3: more.
[[nodiscard]] unsigned cost_class(const traced_event&);

/// "line 14", "other.h:3", "no line".
[[nodiscard]] std::string place_in_source(const std::string& file, int line, const source_text&);
/// "line 14 writes tile", "line 20 is a branch".
[[nodiscard]] std::string step_words(const traced_place&, const source_text&);

/// A section of the page: heading, drawing, and a table that says the same in words. At most 30,000 bytes; a warp that does more than
/// there is room for is cut, and the section says where. "" without a trace.
[[nodiscard]] std::string block_section(const launch_counters& first, const source_text&);

/// What the section's classes look like; the colours are the page's own.
[[nodiscard]] const char* block_style();

}  // namespace simtlab
