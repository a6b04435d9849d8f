#include "timing/stopping_rule.h"

#include <algorithm>

namespace simtlab {

bool stopping_rule::is_enough(double seconds_so_far) const {
  if (samples_.size() < limits_.fewest) return false;
  if (samples_.size() < limits_.most && seconds_so_far < limits_.least_seconds) return false;
  return samples_.size() >= limits_.most || seconds_so_far >= limits_.seconds || state() == "settled";
}

std::string_view stopping_rule::state() const {
  const auto middle = median(samples_);
  const auto bounds = median_interval(samples_, median_confidence);
  if (!middle || !bounds) return "noisy";
  if (std::ranges::any_of(limits_.thresholds, [&](double t) { return bounds->holds(t); })) return "undecided";
  return bounds->high - bounds->low <= limits_.relative_width * *middle ? "settled" : "noisy";
}

}  // namespace simtlab
