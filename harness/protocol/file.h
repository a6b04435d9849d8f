// Files of the exchange: written whole or not at all, read with every precaution.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace simtlab {

/// A file's bytes in memory for as long as the object lives, read when they are looked at.
class mapped_file {
 public:
  mapped_file() = default;
  mapped_file(void* begin, std::size_t bytes) : begin_(begin), bytes_(bytes) {}
  ~mapped_file();
  mapped_file(mapped_file&& other) noexcept;
  mapped_file& operator=(mapped_file&&) = delete;
  mapped_file(const mapped_file&) = delete;  // it owns the mapping
  mapped_file& operator=(const mapped_file&) = delete;
  [[nodiscard]] std::span<const std::byte> bytes() const { return {static_cast<const std::byte*>(begin_), bytes_}; }

 private:
  void* begin_ = nullptr;
  std::size_t bytes_ = 0;
};

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

  /// The same file without a copy of it.
  [[nodiscard]] mapped_file map(const std::string& file, std::size_t size) const;

  /// Descriptors of a file for the caller to close: to read `size` bytes from, or to write from its beginning.
  [[nodiscard]] int open_to_read(const std::string& file, std::size_t size) const;
  [[nodiscard]] int open_to_write(const std::string& file) const;
  [[nodiscard]] int handle() const { return descriptor_; }

  /// Writes a temporary name and renames it: a reader sees the whole file or none.
  void write(const std::string& file, std::string_view text) const;
  void write(const std::string& file, std::span<const std::byte> bytes) const;

 private:
  void write(const std::string& file, const char* data, std::size_t size) const;
  int descriptor_;
  std::string path_;
};

}  // namespace simtlab
