// Compares the outputs of a call with the reference's, and describes the first differences.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "judge/decide/mismatch_pattern.h"
#include "judge/decide/output_picture.h"
#include "spec/lab_core.h"

namespace simtlab {

struct wrong_element {
  std::vector<std::size_t> index;  ///< one number per extent, and the component for elements with several
  double expected = 0, actual = 0;
  bool never_written = false;  ///< still holds the poison from before the call
};

/// The excerpt for one output.
struct mismatch {
  std::string argument;
  std::size_t position = 0;  ///< of the argument in the entry's list
  std::size_t wrong = 0, total = 0, never_written = 0;
  std::vector<wrong_element> first;          ///< at most `most_shown`
  std::vector<wrong_element> good_before;    ///< right elements just before the first wrong one
  std::vector<std::size_t> lowest, highest;  ///< the wrong elements lie within these indices, both ends included
  double largest_error = 0;                  ///< |actual − expected| over the finite ones
  double allowed_there = 0;                  ///< what the tolerance allows the element with the largest error
  std::size_t nearly_right = 0;              ///< wrong by less than `most_nearly_right` of the value
  bool integers = false;
  std::optional<output_picture> picture;  ///< of a matrix with at least two rows and columns
};
inline constexpr double most_nearly_right = 1e-4;
inline constexpr std::size_t most_shown = 5;
inline constexpr std::size_t most_good_shown = 2;

/// What an output that holds poison means: nobody wrote it, unless counters show that all of it was written. Then the
/// kernel stored what it had read from memory that nobody wrote, which on the emulator holds the same bytes.
struct written_bytes {
  std::vector<std::size_t> of_argument;  ///< one per argument; empty: no counters, so poison is always unwritten
  [[nodiscard]] bool covers(std::size_t argument, std::size_t bytes) const {
    return argument < of_argument.size() && bytes > 0 && of_argument[argument] >= bytes;
  }
};

/// The first output with a wrong element; nothing when all are right. `expected` and `magnitudes` come from the reference
/// (`magnitudes` may be empty when the tolerance does not need them); `actual` has one entry per argument.
[[nodiscard]] std::optional<mismatch> compare(const lab&, const tolerance&, const std::vector<argument_value>& expected,
                                              const std::vector<argument_value>& magnitudes,
                                              const std::vector<std::vector<std::byte>>& actual,
                                              const written_bytes& = {});

/// All of one output as numbers, for those who look for a pattern. Parameters as above; `position` is the argument's.
[[nodiscard]] output_values values_of(const lab&, const tolerance&, std::size_t position,
                                      const std::vector<argument_value>& expected,
                                      const std::vector<argument_value>& magnitudes,
                                      const std::vector<std::vector<std::byte>>& actual, const written_bytes& = {});

/// The values with every floating-point number replaced by its absolute value: what the
/// reference needs to yield the magnitudes.
[[nodiscard]] std::vector<argument_value> absolute_values(const lab&, std::vector<argument_value>);

/// "C[3][17]"
[[nodiscard]] std::string element_name(const std::string& argument, const std::vector<std::size_t>& index);
/// How many characters the longest name of an element shown has.
[[nodiscard]] std::size_t longest_element_name(const mismatch&);
/// The number of that type at `from`, which need not be aligned.
[[nodiscard]] double number_at(const std::byte* from, scalar_type);
/// All numbers of that type in `bytes`.
[[nodiscard]] std::vector<double> numbers_of(const std::vector<std::byte>& bytes, scalar_type);
/// A value as a student would write it: "0.25", "nan", "-17".
[[nodiscard]] std::string number_text(double, bool integer);
/// The expected value and the found one, in as many digits as tell them apart.
struct told_apart {
  std::string expected, actual;
};
[[nodiscard]] told_apart told_apart_in(const mismatch&, const wrong_element&);
/// Whether all wrong elements are nearly right, as they are of another rounding.
[[nodiscard]] bool is_nearly_right(const mismatch&);

}  // namespace simtlab
