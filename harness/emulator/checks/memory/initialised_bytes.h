// Which bytes of device memory hold a value: one bit a byte, in pages that appear when they are first touched. Any
// process address may be asked for, so that `cudaMalloc`ed memory and `__device__` variables are alike.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "core/address_table.h"
#include "core/types.h"

namespace simtlab::emulator {

/// Safe to use from several workers at once.
class initialised_bytes {
 public:
  /// The bytes [begin, begin + bytes) hold a value: the host copied or set them, or a kernel wrote them.
  void mark(address begin, std::uint64_t bytes);
  /// They hold none: freshly allocated, or freed.
  void forget(address begin, std::uint64_t bytes);
  /// Whether every one of them holds a value.
  [[nodiscard]] bool all(address begin, std::uint64_t bytes) const;
  /// Whether one of them does.
  [[nodiscard]] bool any(address begin, std::uint64_t bytes) const;
  /// Marks them; whether every one held a value before. Of several workers one alone is told that a byte did not.
  bool mark_and_tell(address begin, std::uint64_t bytes);

 private:
  static constexpr unsigned page_shift = 16;
  static constexpr std::size_t words_in_page = (std::size_t{1} << page_shift) / 64;
  struct page {
    std::array<std::atomic<std::uint64_t>, words_in_page> words{};
  };
  address_table<page, page_shift> pages_;
};

}  // namespace simtlab::emulator
