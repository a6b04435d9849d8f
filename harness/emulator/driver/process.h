// Runs a program without a shell and takes what it writes to stderr.
#pragma once

#include <string>
#include <vector>

namespace simtlab::emulator {

struct process_result {
  int exit_code = 0;   ///< 128 + signal when a signal ended it
  std::string errors;  ///< its stderr
};

/// A program that runs while we do something else. It is ended where nobody waits for it.
class started_process {
 public:
  /// `words[0]` is looked up in PATH unless it has a slash. Throws std::system_error if it cannot be started.
  /// `output`: the file that its stdout goes to; empty: ours.
  explicit started_process(const std::vector<std::string>& words, const std::string& output = "");
  ~started_process();
  started_process(const started_process&) = delete;  // it owns the process
  started_process& operator=(const started_process&) = delete;

  /// Waits for its end; once.
  [[nodiscard]] process_result finish();

 private:
  void wait(process_result&);

  int child_ = 0, errors_ = -1;
};

inline void append(std::vector<std::string>& words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
}

/// `words[0]` is looked up in PATH unless it has a slash. Throws std::system_error if it cannot be started.
/// `output`: the file that its stdout goes to; empty: ours.
[[nodiscard]] process_result run_process(const std::vector<std::string>& words, const std::string& output = "");

}  // namespace simtlab::emulator
