// What a lab that claims a product says of its matrices: how one is stored, and whether the benchmark's answer is the
// product; which element is wrong when it is not.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "judge/decide/comparison.h"
#include "spec/lab_core.h"

namespace simtlab {

/// Whether the argument is a matrix stored column after column: the right operand of a claim with by_columns.
[[nodiscard]] bool is_stored_by_columns(const lab&, const std::string& argument);

/// Nothing when `actual` holds the product that the lab claims. Otherwise the first wrong row, element by element beside
/// the double-precision product. Throws specification_error when the claim does not fit the lab's arguments.
[[nodiscard]] std::optional<mismatch> disproved(const lab&, const product_claim&, const tolerance&,
                                                const std::vector<argument_value>& values,
                                                const std::vector<std::vector<std::byte>>& actual);

}  // namespace simtlab
