// Where reports for other programs say that a source file lies: relative to the folder that those programs look from.
#pragma once

#include <filesystem>
#include <string>

#include "report/report.h"

namespace simtlab::emulator {

class source_paths {
 public:
  /// `root`: the checkout of a CI run, or the folder in which the program was started. `program` stands for places without a
  /// file, for which other programs have no word.
  source_paths(const std::filesystem::path& root, const std::filesystem::path& program);
  /// Of this process: $GITHUB_WORKSPACE, else the current folder.
  static source_paths of_this_process(const std::string& program);

  /// Relative to `root()` inside of it, else absolute.
  [[nodiscard]] std::string path_of(const finding_place&) const;
  [[nodiscard]] const std::filesystem::path& root() const { return root_; }
  [[nodiscard]] const std::string& program() const { return program_; }

 private:
  [[nodiscard]] std::string as_seen_from_root(const std::filesystem::path&) const;

  std::filesystem::path root_;
  std::string program_;
};

}  // namespace simtlab::emulator
