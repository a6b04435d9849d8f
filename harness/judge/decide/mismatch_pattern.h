// Which mistake a wrong output looks like, from its elements alone: where the wrong ones lie, and which right values they
// hold. A pattern is claimed only when it foretells every element, and foretells so many of the wrong ones that chance
// could not: tests/judge/mismatch_pattern_test.cpp holds both, on random sizes and on noise.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "judge/decide/explanation.h"
#include "spec/test_case.h"
#include "spec/values.h"

namespace simtlab {

/// One output as numbers, in memory order.
struct output_values {
  std::string argument;
  shape extents;  ///< of one or two dimensions; otherwise nothing is recognised
  std::vector<double> expected, found;
  std::vector<bool> wrong, unwritten;
  bool integers = false;
};

enum class pattern : std::uint8_t {
  all_zero,        ///< several, although zero is wrong
  all_nan,         ///< every element
  one_value,       ///< the same number everywhere
  transposed,      ///< element [i][j] holds what belongs to [j][i]
  equal_rows,      ///< all rows alike
  equal_columns,   ///< all columns alike
  shifted,         ///< element i holds what belongs to i - d
  multiple,        ///< every element a whole multiple, or a whole part, of what it should be
  restarting,      ///< a running sum that starts anew in each piece
  row_length,      ///< rows were stored another distance apart
  smallest_float,  ///< every wrong element is FLT_MIN or DBL_MIN, the smallest number above zero
};

struct recognised_pattern {
  pattern kind;
  std::string says;  ///< for the student

  [[nodiscard]] explanation explained() const;
};

/// `sizes` are the case's: a wrong row length is called by its name.
[[nodiscard]] std::optional<recognised_pattern> pattern_of(const output_values&, const sizes&);

/// Equal but for rounding, where the values around are as large as `scale`.
[[nodiscard]] bool is_close(double, double, double scale, bool integers);

/// " (k)" where the sizes name that number by one name alone; empty otherwise.
[[nodiscard]] std::string name_of_size(const sizes&, std::size_t value);

/// "k", or "5" where the sizes do not name it by one name alone; and " with k = 5", or nothing.
[[nodiscard]] std::string length_name(const sizes&, std::size_t value);
[[nodiscard]] std::string length_value(const sizes&, std::size_t value);

/// Whether `foretold` explains what was found: each written element equals it, and enough wrong ones do that chance is out of
/// the question. NaN foretells nothing.
[[nodiscard]] bool explains(const output_values&, const std::vector<double>& foretold);

}  // namespace simtlab
