// Extended regular expressions of POSIX. <regex> takes g++ as long as the rest of the driver.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace simtlab::emulator {

/// A pattern that a whole text has, or has not.
class text_pattern {
 public:
  /// `pattern` as in regex(7). One that is none is a mistake of ours: std::logic_error with its text.
  explicit text_pattern(const std::string& pattern);
  /// The text and what each parenthesis took, empty where it took nothing; no part at all where the text does not match.
  [[nodiscard]] std::vector<std::string> parts_of(const std::string& text) const;
  [[nodiscard]] bool matches(const std::string& text) const { return !parts_of(text).empty(); }

 private:
  struct compiled;
  std::shared_ptr<const compiled> compiled_;
};

}  // namespace simtlab::emulator
