// When is a computed value right? Rules, all of them:
//  - NaN is right only where the reference has NaN, and there only NaN is.
//  - Infinities are right only where the reference has the same one.
//  - Integers must be equal.
//  - A finite floating-point value is right when |actual − expected| ≤ bound, with the bound below.
#pragma once

#include <cstdint>

namespace simtlab {

/// bound = absolute + relative·|expected| + ulps·ulp(expected) + condition·magnitude
/// where `magnitude` is what the reference yields for the absolute values of all inputs: Σ|aᵢ·bᵢ| for a sum of products.
struct tolerance {
  double absolute = 0;
  double relative = 0;
  double ulps = 0;
  double condition = 0;
  /// The magnitude is needed: the judge calls the reference a second time.
  [[nodiscard]] constexpr bool needs_magnitude() const { return condition > 0; }
};

/// Values only move, or are integers: any difference is a bug.
inline constexpr tolerance exact{};

/// |actual − expected| ≤ absolute + relative·|expected|
constexpr tolerance within(double absolute, double relative) { return {absolute, relative, 0, 0}; }

/// A few correctly rounded operations: each may add one unit in the last place.
constexpr tolerance within_ulps(double ulps) { return {0, 0, ulps, 0}; }

namespace detail {
constexpr double square_root(double x) {  // constexpr, so that the runner keeps no trace of it
  double root = x > 1 ? x : 1;
  for (int i = 0; i < 64; ++i) root = (root + x / root) / 2;
  return root;
}
}  // namespace detail

/// A sum of `terms` single-precision products (or plain terms) of random inputs, added in any order and with or without
/// fused multiply-add. bound = 4·√terms·u·Σ|aᵢ·bᵢ| with u = 2⁻²⁴: four times the probabilistic error bound of Higham and
/// Mary (A New Approach to Probabilistic Rounding Error Analysis, 2019). The worst-case bound, terms·u·Σ|aᵢ·bᵢ|, would let
/// half-precision arithmetic pass from some fifty terms on; this one rejects most elements of such a result up to a few
/// hundred terms, and a result of a hundred elements up to a thousand.
constexpr tolerance sum_of_products(double terms) {
  return {0, 0, 1, 4 * detail::square_root(terms < 1 ? 1 : terms) * 0x1p-24};
}

/// Spacing of single- or double-precision numbers at |x|.
[[nodiscard]] double ulp_at(double x, bool single_precision);

/// By how much a value may differ from a finite `expected`.
[[nodiscard]] double bound_of(const tolerance&, double expected, double magnitude, bool single_precision);

/// Is `actual` right where the reference is `expected`? `magnitude` matters only to tolerances that need it.
[[nodiscard]] bool accepts(const tolerance&, double expected, double actual, double magnitude, bool single_precision);

}  // namespace simtlab
