// How much kernels read of what host code has made: distinct bytes with a mark (runtime/host_work.h), but for words that repeat
// one of what the program was handed, so that host code may put its inputs in another order, and for words of four equal bytes,
// which a fill leaves.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "checks/memory/initialised_bytes.h"
#include "core/types.h"

namespace simtlab::emulator {

/// Safe to use from several workers at once, but for `forget`.
class host_made_reads {
 public:
  /// `handed` are the words of what the program was handed, sorted.
  host_made_reads(const initialised_bytes& marks, std::vector<std::uint32_t> handed)
      : marks_(marks), handed_(std::move(handed)) {}

  void read(address begin, std::uint32_t bytes) {
    for (address word = begin / 4 * 4; word < begin + bytes; word += 4)
      if (!seen_.all(word, 4) && has_mark(std::max(word, begin), std::min(word + 4, begin + bytes)) &&
          !seen_.mark_and_tell(word, 4) && is_own(word))
        bytes_.fetch_add(4, std::memory_order_relaxed);
  }
  /// Other values come to these bytes.
  void forget(address begin, std::uint64_t bytes) { seen_.forget(begin / 4 * 4, bytes + begin % 4); }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 private:
  [[nodiscard]] bool has_mark(address begin, address end) const {
    for (; begin < end; ++begin)
      if (marks_.all(begin, 1)) return true;
    return false;
  }
  [[nodiscard]] bool is_own(address at) const {
    std::uint32_t word = 0;
    std::memcpy(&word, reinterpret_cast<const void*>(at), sizeof word);
    return word != (word & 0xff) * 0x01010101U && !std::ranges::binary_search(handed_, word);
  }

  const initialised_bytes& marks_;
  const std::vector<std::uint32_t> handed_;
  initialised_bytes seen_;
  std::atomic<std::uint64_t> bytes_ = 0;
};

}  // namespace simtlab::emulator
