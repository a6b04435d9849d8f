#include "spec/tolerance.h"

#include <cmath>
#include <limits>

namespace simtlab {

double ulp_at(double x, bool single_precision) {
  const double size = std::fabs(x);
  if (single_precision) {
    const auto rounded = static_cast<float>(size);
    return static_cast<double>(std::nextafter(rounded, std::numeric_limits<float>::infinity())) -
           static_cast<double>(rounded);
  }
  return std::nextafter(size, std::numeric_limits<double>::infinity()) - size;
}

double bound_of(const tolerance& allowed, double expected, double magnitude, bool single_precision) {
  double bound = allowed.absolute + allowed.relative * std::fabs(expected) + allowed.condition * std::fabs(magnitude);
  if (allowed.ulps > 0) bound += allowed.ulps * ulp_at(expected, single_precision);
  return bound;
}

bool accepts(const tolerance& allowed, double expected, double actual, double magnitude, bool single_precision) {
  if (std::isnan(expected) || std::isnan(actual)) return std::isnan(expected) && std::isnan(actual);
  if (std::isinf(expected) || std::isinf(actual)) return expected == actual;
  if (expected == actual) return true;
  return std::fabs(actual - expected) <= bound_of(allowed, expected, magnitude, single_precision);
}

}  // namespace simtlab
