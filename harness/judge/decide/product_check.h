// A product's benchmark: its proof, and which element is wrong when there is none.
#pragma once

#include <optional>
#include <vector>

#include "judge/decide/comparison.h"
#include "spec/lab_core.h"

namespace simtlab {

/// Nothing when `actual` holds the product that the lab claims. Otherwise the first wrong row, element by element beside
/// the double-precision product. Throws specification_error when the claim does not fit the lab's arguments.
[[nodiscard]] std::optional<mismatch> disproved(const lab&, const product_claim&, const tolerance&,
                                                const std::vector<argument_value>& values,
                                                const std::vector<std::vector<std::byte>>& actual);

}  // namespace simtlab
