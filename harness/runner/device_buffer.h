// Device memory of one argument, between two guard bands.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace simtlab {

/// Written against the CUDA runtime API, compiled once per backend. Throws cuda_failure.
class device_buffer {
 public:
  /// `guard` poisoned bytes on each side; a buffer of no bytes without guards has a null pointer.
  device_buffer(std::size_t bytes, std::size_t guard, bool poison);
  ~device_buffer();
  device_buffer(const device_buffer&) = delete;  // it owns the memory
  device_buffer& operator=(const device_buffer&) = delete;

  [[nodiscard]] void* data() const { return data_; }
  void upload(std::span<const std::byte>);
  void poison();
  [[nodiscard]] std::vector<std::byte> download() const;
  /// Bytes of the guard bands that no longer hold poison: before and after the buffer.
  struct guard_damage {
    std::size_t before = 0, after = 0;
  };
  [[nodiscard]] guard_damage damage() const;

 private:
  std::size_t bytes_, guard_;
  void* base_ = nullptr;
  void* data_ = nullptr;
};

}  // namespace simtlab
