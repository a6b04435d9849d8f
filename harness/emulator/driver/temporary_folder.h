// A private folder for intermediate files.
#pragma once

#include <filesystem>

namespace simtlab::emulator {

/// Owns a new folder under TMPDIR, removed with everything in it at the end; a folder given by the user stays.
class temporary_folder {
 public:
  /// `keep` empty: a private one. Throws std::filesystem::filesystem_error or std::system_error.
  explicit temporary_folder(const std::filesystem::path& keep);
  ~temporary_folder();
  temporary_folder(const temporary_folder&) = delete;  // it owns the folder
  temporary_folder& operator=(const temporary_folder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  bool remove_ = false;
};

}  // namespace simtlab::emulator
