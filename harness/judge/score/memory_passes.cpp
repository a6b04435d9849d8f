#include "judge/score/memory_passes.h"

#include <algorithm>

#include "judge/score/number.h"
#include "judge/score/shared_passes.h"

namespace simtlab {
namespace {

constexpr double sectors_of_a_pass = 4;

}  // namespace

double memory_passes(const access_counters& a) {
  if (a.space == "local") return 0;
  if (a.space == "shared") return shared_passes(a);
  const double sectors = number(a.sectors) / sectors_of_a_pass;
  const double words = a.space == "constant" ? number(a.distinct_words) : 0;
  return std::max({number(a.requests), sectors, words});
}

double memory_passes(const launch_counters& l) {
  double passes = number(l.warp_value_primitives);
  for (const access_counters& a : l.accesses) passes += memory_passes(a);
  return passes;
}

}  // namespace simtlab
