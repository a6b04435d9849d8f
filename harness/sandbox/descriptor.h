// An open file of ours, and the error that every part of a launch throws.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

namespace simtlab::sandbox {

/// Why a command was not started: our fault or the machine's, never the command's.
class launch_error : public std::runtime_error {
  using runtime_error::runtime_error;
};

/// A launch_error that ends in the text of errno.
[[nodiscard]] inline launch_error system_failure(const std::string& what) {
  return launch_error(what + ": " + std::strerror(errno));
}

/// Owns a file descriptor.
class descriptor {
 public:
  descriptor() = default;
  explicit descriptor(int fd) : fd_(fd) {}
  descriptor(descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  descriptor& operator=(descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~descriptor() { reset(); }
  descriptor(const descriptor&) = delete;  // it owns the descriptor
  descriptor& operator=(const descriptor&) = delete;
  [[nodiscard]] int get() const { return fd_; }
  void reset() {
    if (fd_ >= 0) close(fd_);
    fd_ = -1;
  }

 private:
  int fd_ = -1;
};

}  // namespace simtlab::sandbox
