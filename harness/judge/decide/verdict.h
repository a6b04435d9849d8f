// How a case, and a lab, may end. The words are those of the facts; Python adds the ones a judge never sees.
#pragma once

#include <cstdint>
#include <string_view>

namespace simtlab {

/// In the order of what to tell first: of several cases, the greatest is the lab's.
enum class verdict : std::uint8_t {
  pass,
  leak,    ///< right answers, and nothing of severity error but memory that was not given back
  unsafe,  ///< right answers, and a finding of severity error
  wrong_answer,
  output_limit,
  memory_limit,
  timeout,
  crash,
  forbidden,       ///< the answer was right, and host code did what is a kernel's to do
  implausible,     ///< the runner's files contradict the protocol: the submission tampered with them
  unsolved,        ///< an untouched stub: nothing was ever written
  internal_error,  ///< our fault, never the student's
};

/// As in the facts: "wrong_answer".
[[nodiscard]] std::string_view name_of(verdict);
/// For a person: "wrong answer".
[[nodiscard]] std::string_view words_for(verdict);

/// The answer was right, whatever else was found.
[[nodiscard]] constexpr bool is_right(verdict v) {
  return v == verdict::pass || v == verdict::leak || v == verdict::unsafe;
}

}  // namespace simtlab
