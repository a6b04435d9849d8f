// Runs a program without a shell and takes what it writes to stderr.
#pragma once

#include <string>
#include <vector>

namespace simtlab::emulator {

struct process_result {
  int exit_code = 0;   ///< 128 + signal when a signal ended it
  std::string errors;  ///< its stderr
};

/// `words[0]` is looked up in PATH unless it has a slash. Throws std::system_error if it cannot be started.
[[nodiscard]] process_result run_process(const std::vector<std::string>& words);

}  // namespace simtlab::emulator
