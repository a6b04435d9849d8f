// What the cases that fail have in common: a size beyond which all are wrong, a divisor that all right ones have.
#pragma once

#include <string>
#include <vector>

#include "spec/test_case.h"

namespace simtlab {

struct sized_case {
  sizes of;
  bool right = false;
};

/// "All cases in which k is a multiple of 16 are right, all others wrong." Only where one rule about one size, or about two
/// sizes being equal, tells right from wrong in every case, and there are at least two of each; empty otherwise. Every size
/// that a rule of that kind holds for is named.
[[nodiscard]] std::string what_fails(const std::vector<sized_case>&);

}  // namespace simtlab
