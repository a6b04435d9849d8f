// Looks now and then how much a command has written into its folders, because no limit of the kernel's counts files of
// several names together.
#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

namespace simtlab::sandbox {

class disk_watch {
 public:
  disk_watch(std::vector<std::filesystem::path> folders, std::size_t most_bytes, std::size_t most_files);
  [[nodiscard]] bool needed() const { return !folders_.empty(); }
  /// True also for what cannot be counted: folders too deep to walk, or closed to us. Takes time for `most_files` only.
  [[nodiscard]] bool is_too_much() const;

 private:
  std::vector<std::filesystem::path> folders_;
  std::size_t most_bytes_, most_files_;
};

}  // namespace simtlab::sandbox
