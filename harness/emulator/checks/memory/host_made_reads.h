// How much kernels read of what host code has made (runtime/host_work.h): what the distinct words with a mark tell, in bytes. A word
// tells four, but for these:
// - Three whole numbers or more at equal distances, as in a list of indices, tell no more than two of them do, however many are
//   read: each such progression counts once, as two words.
// - Host code may put its inputs in another order. A word that repeats one of what the program was handed, and that follows from
//   two words before it as the order goes on, tells nothing; neither does a value that occurs there often. Any other tells two
//   bytes: which of the inputs' words stands there was host code's choice, and there is one with any byte that it wants.
// - A word of four equal bytes, which a fill leaves, tells nothing behind its like, and one byte elsewhere.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "checks/memory/initialised_bytes.h"
#include "core/types.h"

namespace simtlab::emulator {

/// Safe to use from several workers at once, but for `forget`.
class host_made_reads {
 public:
  /// `handed` are the words of what the program was handed, one array behind the other.
  host_made_reads(const initialised_bytes& marks, const std::vector<std::uint32_t>& handed) : marks_(marks) {
    handed_.reserve(handed.size());
    for (const std::uint32_t word : handed) handed_.push_back({word, static_cast<std::int64_t>(handed_.size())});
    std::ranges::sort(handed_, {}, &handed_word::as_pair);
  }

  void read(address begin, std::uint32_t bytes) {
    for (address word = begin / 4 * 4; word < begin + bytes; word += 4)
      if (!seen_.all(word, 4) && has_mark(std::max(word, begin), std::min(word + 4, begin + bytes)) &&
          !seen_.mark_and_tell(word, 4))
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
    const std::uint32_t word = word_at(at);
    if (is_fill(word)) return has_mark(at - 4, at) && word_at(at - 4) == word ? 0 : 1;
    if (const auto where = places_of(word); !where.empty()) return where.size() > few || goes_on(at, where) ? 0 : 2;
    const auto begin = progression_of(at);
    if (!begin) return 4;
    return progressions_.mark_and_tell(*begin, 4) ? 0 : 8;
  }
  [[nodiscard]] static bool is_fill(std::uint32_t word) { return word == (word & 0xff) * 0x01010101U; }

  struct handed_word {
    std::uint32_t word = 0;
    std::int64_t place = 0;  ///< in words
    [[nodiscard]] std::pair<std::uint32_t, std::int64_t> as_pair() const { return {word, place}; }
  };
  using places = std::span<const handed_word>;
  /// Where the word stands in what was handed over.
  [[nodiscard]] places places_of(std::uint32_t word) const {
    const auto before = [](const handed_word& one, std::uint32_t other) { return one.word < other; };
    const auto begin = std::lower_bound(handed_.begin(), handed_.end(), word, before);
    const auto behind = [word](const handed_word& one) { return one.word != word; };
    return {begin, std::find_if(begin, handed_.end(), behind)};
  }
  /// The same of the word at `at`, where that is host code's; none where it has been there often.
  [[nodiscard]] places few_places_at(address at) const {
    if (!has_mark(at, at + 4)) return {};
    const places all = places_of(word_at(at));
    return all.size() > few ? places() : all;
  }
  /// Whether one of `where` is as far from the word before as that is from the one before it, at some distance of the three.
  [[nodiscard]] bool goes_on(address at, places where) const {
    for (address distance = 4; distance <= longest_period; distance += 4)
      for (const handed_word& before : few_places_at(at - distance))
        for (const handed_word& first : few_places_at(at - 2 * distance))
          for (const handed_word& here : where)
            if (here.place - before.place == before.place - first.place) return true;
    return false;
  }

  static constexpr std::size_t few = 4;          ///< places of one value, among which its neighbours choose
  static constexpr address longest_period = 64;  ///< of an order, in bytes: 16 arrays, interleaved word by word
  /// Progressions are looked for in stretches of so many bytes: of one allocation, and few words.
  static constexpr address stretch = 256;
  const initialised_bytes& marks_;
  std::vector<handed_word> handed_;  ///< sorted
  initialised_bytes seen_;
  initialised_bytes progressions_;  ///< that have been counted, by their first words
  std::atomic<std::uint64_t> bytes_ = 0;
};

}  // namespace simtlab::emulator
