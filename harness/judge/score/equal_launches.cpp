#include "judge/score/equal_launches.h"

#include <algorithm>

namespace simtlab {

std::vector<launch_counters> folded_launches(const std::vector<launch_counters>& all) {
  std::vector<launch_counters> folded;
  for (const launch_counters& l : all) {
    const auto equal = std::ranges::find_if(folded, [&](const launch_counters& f) { return are_alike(f, l); });
    if (equal != folded.end()) {
      *equal += l;
      equal->times += l.times;
      equal->completed = equal->completed && l.completed;
      continue;
    }
    folded.push_back(l);
    folded.back().accesses.clear();
    folded.back().examples.clear();
  }
  return folded;
}

}  // namespace simtlab
