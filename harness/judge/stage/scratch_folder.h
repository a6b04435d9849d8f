// An empty folder of our own that disappears with the object.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace simtlab {

class scratch_folder {
 public:
  /// Inside $TMPDIR, listed by its owner only. Throws std::filesystem::filesystem_error.
  scratch_folder();
  ~scratch_folder();
  scratch_folder(const scratch_folder&) = delete;  // it owns the folder
  scratch_folder& operator=(const scratch_folder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// The first `most` bytes of a file inside; empty when it cannot be read.
  [[nodiscard]] std::string beginning_of(const std::string& file, std::size_t most) const;

 private:
  std::filesystem::path path_;
};

}  // namespace simtlab
