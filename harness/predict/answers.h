// A student's predict.toml: `student = "ada"` and one `question = number` a line. That much of TOML and no more, so that
// every mistake is told with its line.
#pragma once

#include <istream>
#include <map>
#include <stdexcept>
#include <string>

namespace simtlab::predict {

struct answers {
  std::string student;                  ///< empty: nobody, the numbers are the default ones
  std::map<std::string, double> given;  ///< by question; a question left at "" is absent
};

/// The student's mistake: names the line, what was expected and what was found.
class answers_error : public std::runtime_error {
  using runtime_error::runtime_error;
};

/// What a student should mend about the name, a sentence; empty for a login, which is one word and no address.
[[nodiscard]] std::string advice_on(const std::string& student);

/// Throws answers_error. `source` names the file in messages.
[[nodiscard]] answers read_answers(std::istream&, const std::string& source);

}  // namespace simtlab::predict
