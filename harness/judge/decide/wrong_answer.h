// What the numbers of a wrong answer look like, and the counters of the launches that made it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "judge/decide/comparison.h"
#include "judge/decide/explanation.h"
#include "judge/decide/mismatch_pattern.h"
#include "protocol/result.h"
#include "spec/lab_core.h"

namespace simtlab {

struct wrong_answer {
  const lab& of;
  const test_case& in;
  const std::vector<argument_value>& given;  ///< to the call whose output is wrong
  const case_result& by;
  std::size_t position = 0;                     ///< of the output among the arguments
  bool counted = false;                         ///< the launches' counters are known
  std::vector<std::string> device_variables{};  ///< those that the source declares outside of functions
};

/// The explanations of an output, the most telling first: where elements stayed unwritten, that is the matter; else what
/// the numbers show.
[[nodiscard]] std::vector<explanation> what_it_looks_like(const wrong_answer&, const output_values&);

/// Of an output of a later call of one program, `round` from 1 on. The calls before were right, so what is wrong comes from
/// them, or by chance.
[[nodiscard]] std::vector<explanation> from_the_call_before(const wrong_answer&, std::size_t round);

/// Of an output that holds values of an input as they are, where it should hold others of that input; nothing where a
/// tolerance allows for rounding.
[[nodiscard]] std::optional<explanation> another_input(const wrong_answer&, const mismatch&);

/// Of an output whose wrong elements are all nearly right (`is_nearly_right`): the error and what is allowed.
[[nodiscard]] explanation rounding(const mismatch&);

}  // namespace simtlab
