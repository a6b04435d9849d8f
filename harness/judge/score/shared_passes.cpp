#include "judge/score/shared_passes.h"

#include <algorithm>
#include <map>
#include <string>

#include "judge/score/number.h"
#include "judge/score/threads.h"

namespace simtlab {
namespace {

constexpr double nearly_all_items = 0.9;   // of the items: the last block has fewer
constexpr double least_items = 2;          // of a thread
constexpr double shuffles_of_a_block = 5;  // scan the totals of a warp
constexpr double most_barriers = 8;        // of a block: two exchanges, and what warps tell one another

/// What is done with one array of shared memory.
struct array_use {
  double stored = 0, read = 0, fewest = 0;
  bool adds = false;
};

double blocks_of(const launch_counters& l) { return number(l.times) * number(l.grid[0] * l.grid[1] * l.grid[2]); }

bool may_exchange(const launch_counters& l, double items) {
  const double blocks = blocks_of(l), threads = blocks * number(l.block[0] * l.block[1] * l.block[2]);
  const double room = number(l.shared_bytes) * blocks;  // none: not known
  return items >= nearly_all_items * least_items * threads &&
         number(l.warp_value_primitives - l.warp_votes) >= shuffles_of_a_block * blocks &&
         number(l.barriers) <= most_barriers * blocks &&
         (room == 0 || room >= nearly_all_items * items * sizeof(float));
}

}  // namespace

double shared_passes(const access_counters& a) {
  return number(a.access == "atomic" ? std::max(a.wavefronts, a.same_address_lanes) : a.wavefronts);
}

double shared_passes(const launch_counters& l, double items) {
  double passes = 0;
  std::map<std::string, array_use> arrays;
  for (const access_counters& a : l.accesses) {
    if (a.space != "shared") continue;
    passes += shared_passes(a);
    array_use& of = arrays[a.variable];
    const double words = std::max(number(a.lanes), number(a.bytes) / sizeof(float));
    (a.access == "write" ? of.stored : of.read) += words;
    of.fewest += number(a.ideal_wavefronts);
    of.adds |= a.access == "atomic";
  }
  if (!may_exchange(l, items)) return passes;
  double free = 0;
  for (const auto& [name, use] : arrays)
    if (!use.adds && use.read >= nearly_all_items * items && use.read <= use.stored) free += use.fewest;
  return passes - std::min(free, 2 * directions * items / warp);
}

}  // namespace simtlab
