// The memory that kernels allocate from with malloc and new: a stretch of device memory that is handed out front to back
// and not used again before cudaDeviceReset, so that two threads never meet in one piece by accident.
#pragma once

#include <cstddef>
#include <mutex>
#include <unordered_map>

#include "core/types.h"

namespace simtlab::emulator {

class device_heap {
 public:
  static constexpr std::size_t address_space = std::size_t{1} << 30;
  /// What CUDA gives without cudaDeviceSetLimit(cudaLimitMallocHeapSize).
  static constexpr std::size_t default_limit = std::size_t{8} << 20;
  /// Pieces begin at sectors, so that counters do not depend on who came first.
  static constexpr std::size_t alignment = 32;

  /// `begin` starts `address_space` bytes that the device's memory has reserved.
  explicit device_heap(void* begin) : begin_(static_cast<char*>(begin)) {}

  /// Null when the heap is full, as in CUDA. Safe to call from several workers.
  void* allocate(std::size_t bytes);
  /// False when `where` is no live piece.
  bool free(void* where);
  [[nodiscard]] bool contains(const void* where) const { return where >= begin_ && where < begin_ + address_space; }
  void set_limit(std::size_t bytes) { limit_ = bytes; }
  [[nodiscard]] std::size_t limit() const { return limit_; }
  /// Forgets everything; returns how many bytes from the begin had been used.
  std::size_t reset();
  [[nodiscard]] void* begin() const { return begin_; }
  /// Bytes from the begin that have been handed out since the last reset; behind them nobody has written.
  [[nodiscard]] std::size_t used() const { return next_; }

 private:
  char* begin_;
  bool is_used_ = false;  ///< the memory is accessible: each launch opens and closes what is
  std::size_t next_ = 0, live_bytes_ = 0, limit_ = default_limit;
  std::unordered_map<void*, std::size_t> live_;
  std::mutex lock_;
};

}  // namespace simtlab::emulator
