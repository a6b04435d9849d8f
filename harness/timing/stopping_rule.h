// When enough calls have been timed. Plain numbers in, a decision out; it knows no clock of its own and no GPU.
#pragma once

#include <string_view>
#include <vector>

#include "timing/sample_statistics.h"

namespace simtlab {

struct stopping_limits {
  unsigned fewest = 11;
  unsigned most = 200;
  double seconds = 2;             ///< of the timed calls and all that is done around them
  double least_seconds = 0;       ///< of the same: what is settled sooner is looked at that long
  double relative_width = 0.005;  ///< of the median's interval
  /// Times at which a grade changes. While one lies inside the median's interval, more samples are taken.
  std::vector<double> thresholds;
};

class stopping_rule {
 public:
  explicit stopping_rule(stopping_limits limits) : limits_(std::move(limits)) {}

  void add(double milliseconds) { samples_.push_back(milliseconds); }
  [[nodiscard]] bool is_enough(double seconds_so_far) const;
  /// "settled": narrow, and no threshold inside; "undecided": a threshold still lies inside; "noisy": still wide.
  [[nodiscard]] std::string_view state() const;
  [[nodiscard]] const std::vector<double>& samples() const { return samples_; }

 private:
  stopping_limits limits_;
  std::vector<double> samples_;
};

}  // namespace simtlab
