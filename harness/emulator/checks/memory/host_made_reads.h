// How much kernels read of what host code has made: distinct bytes with a mark (runtime/host_work.h), but for words that repeat
// one of what the program was handed, so that host code may put its inputs in another order, and for words of four equal bytes,
// which a fill leaves. Three whole numbers or more at equal distances, as in a list of indices, tell no more than two of
// them do, however many are read: each such progression counts once, as two words.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <optional>
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
        bytes_.fetch_add(told_by(word), std::memory_order_relaxed);
  }
  /// Other values come to these bytes.
  void forget(address begin, std::uint64_t bytes) {
    seen_.forget(begin / 4 * 4, bytes + begin % 4);
    progressions_.forget(begin / 4 * 4, bytes + begin % 4);
  }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 private:
  [[nodiscard]] bool has_mark(address begin, address end) const {
    for (; begin < end; ++begin)
      if (marks_.all(begin, 1)) return true;
    return false;
  }
  [[nodiscard]] static std::uint32_t word_at(address at) {
    std::uint32_t word = 0;
    std::memcpy(&word, reinterpret_cast<const void*>(at), sizeof word);
    return word;
  }
  /// From the word before to this one, where host code has made both; nothing at a stretch's begin.
  [[nodiscard]] std::optional<std::uint32_t> step_to(address at) const {
    if (at % stretch == 0 || !marks_.all(at - 4, 8)) return std::nullopt;
    return word_at(at) - word_at(at - 4);
  }
  /// Where the progression of three words or more begins that the word is in.
  [[nodiscard]] std::optional<address> progression_of(address at) const {
    const auto step = step_to(at), next = step_to(at + 4);
    address begin = at;
    while (step && step_to(begin) == step) begin -= 4;
    if (at - begin >= 8 || (next && next == step)) return begin;
    return next && step_to(at + 8) == next ? std::optional(at) : std::nullopt;
  }
  /// What reading the word tells, in bytes, where it has not been read yet.
  std::uint64_t told_by(address at) {
    const auto begin = progression_of(at);
    if (!begin) return 4;
    return progressions_.mark_and_tell(*begin, 4) ? 0 : 8;
  }
  [[nodiscard]] bool is_own(address at) const {
    const std::uint32_t word = word_at(at);
    return word != (word & 0xff) * 0x01010101U && !std::ranges::binary_search(handed_, word);
  }

  /// Progressions are looked for in stretches of so many bytes: of one allocation, and few words.
  static constexpr address stretch = 256;
  const initialised_bytes& marks_;
  const std::vector<std::uint32_t> handed_;
  initialised_bytes seen_;
  initialised_bytes progressions_;  ///< that have been counted, by their first words
  std::atomic<std::uint64_t> bytes_ = 0;
};

}  // namespace simtlab::emulator
