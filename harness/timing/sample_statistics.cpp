#include "timing/sample_statistics.h"

#include <algorithm>
#include <cmath>

namespace simtlab {
namespace {

// The largest k for which 2·P(Bin(n, 1/2) < k) <= 1 - confidence; 0: there is none.
std::size_t rank_of_bound(std::size_t n, double confidence) {
  const double count = static_cast<double>(n);
  double below = 0;  // P(Bin(n, 1/2) < k)
  std::size_t k = 0;
  while (k < n / 2) {
    const double at = static_cast<double>(k);
    const double log_term =
        std::lgamma(count + 1) - std::lgamma(at + 1) - std::lgamma(count - at + 1) - count * std::log(2.0);
    below += std::exp(log_term);
    if (2 * below > 1 - confidence) break;
    ++k;
  }
  return k;
}

}  // namespace

std::optional<double> median(std::vector<double> samples) {
  if (samples.empty()) return std::nullopt;
  std::ranges::sort(samples);
  const std::size_t middle = samples.size() / 2;
  return samples.size() % 2 == 1 ? samples[middle] : (samples[middle - 1] + samples[middle]) / 2;
}

std::optional<interval> median_interval(std::vector<double> samples, double confidence) {
  const std::size_t k = rank_of_bound(samples.size(), confidence);
  if (k == 0) return std::nullopt;
  std::ranges::sort(samples);
  return interval{samples[k - 1], samples[samples.size() - k]};
}

interval ratio_of(const interval& above, const interval& below) {
  return {above.low / below.high, above.high / below.low};
}

}  // namespace simtlab
