// Leaves nothing of use in the L2 cache: writes, then reads, a buffer several times its size. A write alone would leave
// dirty lines behind, which the next kernel's reads would have to wait for (13 to 33 % slower on an H200).
#pragma once

#include <cstddef>

namespace simtlab {

class cache_flush {
 public:
  /// Throws cuda_failure.
  cache_flush();
  ~cache_flush();
  cache_flush(const cache_flush&) = delete;  // it owns device memory
  cache_flush& operator=(const cache_flush&) = delete;

  /// Also gives up lines that a submission asked the cache to keep.
  void run();
  [[nodiscard]] std::size_t cache_bytes() const { return cache_bytes_; }

 private:
  std::size_t cache_bytes_ = 0, bytes_ = 0;
  void* memory_ = nullptr;
  int calls_ = 0;
};

}  // namespace simtlab
