// One evaluation says what is correct, safe and fast. A program that asks for one of the three gets it, and what is said of
// the other two is kept for the calls that ask for those: `make test` asks three times, and runs a lab's cases once.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "judge/options.h"

namespace simtlab {

/// What a part printed, and the exit code of its program.
struct said_part {
  std::string text;
  int exit_code = 0;
};

class kept_parts {
 public:
  /// In `options.together`, of the same runner, judge, source and options alone.
  explicit kept_parts(const judge_options& options);

  /// What was kept of the part, once: who asks again wants another evaluation.
  [[nodiscard]] std::optional<said_part> take(const std::string& part) const;
  /// A part that cannot be kept is evaluated again: nothing is reported.
  void keep(const std::string& part, const said_part& said) const;

 private:
  std::filesystem::path folder_;
  std::string of_;  ///< a line of its own, before the text
};

}  // namespace simtlab
