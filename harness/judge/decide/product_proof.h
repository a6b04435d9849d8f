// Is C = A·B? Without multiplying: Freivalds' check, with rounding allowed for.
//
// For a vector x of random signs, C·x and A·(B·x) agree when C is the product. In each round they are compared row by row
// in double precision, and may differ by bound = condition·‖A's row‖₂·‖B‖_F, where `condition` is the lab's tolerance for
// one element over Σ|aᵢ·bᵢ| (4·√k·u, spec/tolerance.h); rounding errors of single precision stay some twentyfold below.
// An element that is off by more than its row's bound is missed in one round with probability at most 1/2: of two vectors
// that differ in its sign alone, at most one can bring the row back inside. The signs are drawn after C is known, so
// `rounds` rounds miss it with at most 2^-rounds. Reduced precision spreads small errors over all elements; their random
// sums exceed the bound in some row, which tests with half-precision and TF32 operands hold.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "spec/random_source.h"

namespace simtlab {

struct matrix_view {
  std::span<const float> values;  ///< row-major, rows × columns
  std::size_t rows = 0, columns = 0;
};

inline constexpr unsigned proof_rounds = 20;
inline constexpr double proof_error_probability = 1.0 / (1U << proof_rounds);

/// The first row in which `product` is not `left`·`right`; nothing when it is. What is no number fails its row.
[[nodiscard]] std::optional<std::size_t> first_wrong_row(const matrix_view& left, const matrix_view& right,
                                                         const matrix_view& product, double condition,
                                                         random_stream signs, unsigned rounds = proof_rounds);

}  // namespace simtlab
