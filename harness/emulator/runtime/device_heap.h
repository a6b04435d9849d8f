// The memory that kernels allocate from with malloc and new: a stretch of device memory that is handed out front to back
// and not used again before cudaDeviceReset, or before a launch that finds much of it used and nothing allocated. So two threads
// never meet in one block by accident, and an access of a freed one is known. Behind each block some bytes belong to nobody: an index
// that runs off by a little meets no other block.
#pragma once

#include <cstddef>
#include <mutex>
#include <string>

#include "core/heap_blocks.h"
#include "core/types.h"

namespace simtlab::emulator {

class device_heap {
 public:
  static constexpr std::size_t address_space = std::size_t{1} << 30;
  /// What CUDA gives without cudaDeviceSetLimit(cudaLimitMallocHeapSize).
  static constexpr std::size_t default_limit = std::size_t{8} << 20;
  /// Pieces begin at sectors, so that counters do not depend on who came first.
  static constexpr std::size_t alignment = heap_blocks::alignment;
  /// Bytes that are used before what was freed is forgotten.
  static constexpr std::size_t quarantine = std::size_t{64} << 20;
  static constexpr std::size_t gap = 16;              ///< bytes of nobody behind a block, at least
  static constexpr std::size_t first_gap = 64 << 10;  ///< the same before the first one

  /// `begin` starts `address_space` bytes that the device's memory has reserved.
  explicit device_heap(void* begin) : begin_(static_cast<char*>(begin)) {}

  /// Null when the heap is full, as in CUDA. Safe to call from several workers.
  void* allocate(std::size_t bytes, const heap_blocks::origin&);
  /// False when no live block begins at `where`.
  bool free(void* where, site caller);
  /// Why that was so, as a finding's message.
  [[nodiscard]] std::string refusal(const void* where) const;
  [[nodiscard]] bool contains(const void* where) const { return where >= begin_ && where < begin_ + address_space; }
  void set_limit(std::size_t bytes) { limit_ = bytes; }
  [[nodiscard]] std::size_t limit() const { return limit_; }
  /// Forgets everything; returns how many bytes from the begin had been used.
  std::size_t reset();
  /// The same where more than the quarantine is used and nothing is allocated; 0 otherwise. Between launches only.
  std::size_t reset_if_worn();
  [[nodiscard]] heap_blocks& blocks() { return blocks_; }
  [[nodiscard]] void* begin() const { return begin_; }
  /// Bytes from the begin that have been handed out since the last reset; behind them nobody has written. Of a heap that no kernel
  /// has used, none may be read.
  [[nodiscard]] std::size_t used() const { return is_used_ ? next_ : 0; }
  /// Bytes from the begin that a kernel may touch without a fault, whether or not they were handed out.
  [[nodiscard]] std::size_t accessible() const { return is_used_ ? address_space : 0; }

 private:
  char* begin_;
  bool is_used_ = false;  ///< the memory is accessible: each launch opens and closes what is
  std::size_t next_ = first_gap, live_bytes_ = 0, limit_ = default_limit;
  heap_blocks blocks_;
  std::mutex lock_;
};

}  // namespace simtlab::emulator
