// Files of the exchange: written whole or not at all, read with every precaution.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace simtlab {

/// An open folder. What is read from it stays inside it, even when its path is renamed or replaced meanwhile.
class folder_handle {
 public:
  /// Throws protocol_error when `path` is not a folder or is a symbolic link.
  explicit folder_handle(const std::filesystem::path& path);
  ~folder_handle();
  folder_handle(const folder_handle&) = delete;  // it owns a descriptor
  folder_handle& operator=(const folder_handle&) = delete;

  [[nodiscard]] bool has(const std::string& file) const;
  /// The whole of a regular file of at most `greatest` bytes. Symbolic links, pipes and devices are refused.
  /// Throws protocol_error.
  [[nodiscard]] std::string read_text(const std::string& file, std::size_t greatest) const;
  /// The same for a file that must have exactly `size` bytes.
  [[nodiscard]] std::vector<std::byte> read_bytes(const std::string& file, std::size_t size) const;

  /// Writes a temporary name and renames it: a reader sees the whole file or none.
  void write(const std::string& file, std::string_view text) const;
  void write(const std::string& file, const std::vector<std::byte>& bytes) const;

 private:
  void write(const std::string& file, const char* data, std::size_t size) const;
  int descriptor_;
  std::string path_;
};

}  // namespace simtlab
