// What a set of timed calls says about their median, without any assumption about how times are distributed.
//
// Times have a hard floor and a long tail, so no mean and no standard deviation is used. If n samples are independent, the
// number of them below the true median is binomial (n, 1/2), whatever the distribution. The interval from the k-th smallest
// to the k-th largest sample therefore misses the median with probability 2·P(Bin(n, 1/2) < k), and k is the largest for
// which that is at most 1 - confidence (the sign test's interval; Conover, Practical Nonparametric Statistics, 3.2).
#pragma once

#include <optional>
#include <vector>

namespace simtlab {

struct interval {
  double low = 0, high = 0;
  [[nodiscard]] bool holds(double x) const { return low <= x && x <= high; }
};

/// The middle of the sorted samples; nothing when there are none.
[[nodiscard]] std::optional<double> median(std::vector<double>);

/// Holds the median with at least this probability. Nothing below as many samples as the confidence takes (6 at 0.95).
[[nodiscard]] std::optional<interval> median_interval(std::vector<double>, double confidence);

/// How sure an interval of a ratio is, as reports say it.
inline constexpr double ratio_confidence = 0.95;
/// Both medians at once: each interval may miss with half the probability, so that their ratio's misses with at most all
/// of it (Bonferroni).
inline constexpr double median_confidence = 1 - (1 - ratio_confidence) / 2;

/// Where above/below lies when both lie anywhere in their intervals. Both must be positive.
[[nodiscard]] interval ratio_of(const interval& above, const interval& below);

}  // namespace simtlab
