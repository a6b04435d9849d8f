// Where the warps of a block stand when a signal or a limit ends the program.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "report/finding_log.h"
#include "report/report.h"

namespace simtlab::emulator {

/// Warps of one block that stand alike.
struct standing_warps {
  unsigned first = 0, last = 0;  ///< numbers in the block
  const char* how = "";          ///< "runs", "waits at a block barrier"
  raw_place place;               ///< of a thread of the first; no site: nowhere yet, or gone
  std::vector<site> loop;        ///< what it goes round through
};

/// Joins neighbours that stand alike.
void add_standing(std::vector<standing_warps>&, standing_warps);
/// "Block (0,0,0): warp 0 runs at kernel.cu:12, in the loop of lines 11 to 13; warps 1 to 7 have not begun."
[[nodiscard]] std::string standing_text(const std::vector<standing_warps>&,
                                        const std::function<source_line(site)>& line_of);

}  // namespace simtlab::emulator
