// Which words a request's lanes touch, seen from the address of its lowest lane.
//
// Most requests of a loop have the pattern of the one before, so it is worked out once and kept for the site: checking a
// request then costs one look per distinct word, not per lane and byte.
#pragma once

#include <algorithm>
#include <bit>
#include <memory>
#include <vector>

#include "checks/value_digest.h"
#include "observers/observer.h"

namespace simtlab::emulator {

/// 4-byte words in a row, each touched whole by as many lanes. From one word to the next, or every two or four words where a lane
/// touches so many, the lanes are those of the word before, moved up by one.
struct word_run {
  std::int64_t distance = 0;  ///< in bytes, from the lowest lane's address to the first word
  lane_mask lanes = 0;        ///< that touch the first word
  std::uint32_t words = 0;
  unsigned shift = 0;  ///< 2^shift words are one lane's

  [[nodiscard]] lane_mask lanes_of(unsigned word) const { return lanes << (word >> shift); }
};

/// Lanes in a row that touch memory in a row, each `width` bytes, together whole words.
struct lane_run {
  std::int64_t distance = 0;  ///< in bytes, from the lowest lane's address to the run's begin
  std::uint8_t lane = 0;      ///< its first
  std::uint8_t lanes = 0;
};

/// How many lanes of a run touch `bytes` of it. `width`: a power of two, as it is in runs.
[[nodiscard]] constexpr unsigned lanes_in(address bytes, std::uint32_t width) {
  return static_cast<unsigned>(bytes >> std::countr_zero(width));
}

/// A part of a run of one request.
struct run_piece {
  address begin = 0, end = 0;
  unsigned lane = 0;  ///< that touches its begin

  [[nodiscard]] unsigned lane_at(address a, std::uint32_t width) const { return lane + lanes_in(a - begin, width); }
};

struct access_pattern {
  static constexpr std::size_t most_runs = 4;

  /// The bytes touched lie in [address + low, address + high), `address` being the lowest active lane's.
  std::int64_t low = 0, high = 0;
  bool aligned = false;        ///< every lane's address is a multiple of the width (widths 2, 4, 8 and 16)
  bool whole_words = false;    ///< every lane touches whole words; otherwise `rows` is empty
  bool dense = false;          ///< whole words, and every word between low and high is touched
  std::vector<word_run> rows;  ///< of all words that are touched, each once
  /// The whole request, no byte of which two lanes touch, as few runs; empty if it is none.
  std::vector<lane_run> runs;

  void set(const warp_request&);

 private:
  void set_runs(const warp_request&);
  void set_rows(const warp_request&);
};

/// How many words, as a power of two, one lane of an access of 4, 8 or 16 bytes touches.
[[nodiscard]] constexpr unsigned word_shift(std::uint32_t width) {
  return static_cast<unsigned>(std::countr_zero(width / 4));
}

/// The lowest active lane's address.
[[nodiscard]] inline address first_address(const warp_request& r) {
  return r.addresses[static_cast<unsigned>(std::countr_zero(r.active))];
}

/// What lane `lane` stores to a word, as a digest; the word itself where lanes from `lane` on store it a byte or two at a time.
[[nodiscard]] inline std::uint32_t stored_word(const warp_request& r, unsigned lane) {
  if (r.width >= 4) return long_digest(digest_of(r.values[lane], r.width));
  std::uint32_t word = 0;
  for (unsigned offset = 0; offset < 4; offset += r.width, ++lane)
    word |= (static_cast<std::uint32_t>(r.values[lane]) & ((1U << 8 * r.width) - 1)) << 8 * offset;
  return word;
}

/// Whether accesses of `width` bytes must be aligned to their width.
[[nodiscard]] constexpr bool has_natural_alignment(std::uint32_t width) {
  return width == 2 || width == 4 || width == 8 || width == 16;
}

/// The last pattern of each number.
class pattern_memory {
 public:
  /// The pattern of `r`; valid until the next call.
  const access_pattern& of(const warp_request& r) {
    if (r.repeats && r.pattern_id < of_pattern_.size() && of_pattern_[r.pattern_id] != nullptr) [[likely]]
      return *of_pattern_[r.pattern_id];
    return learn(r);
  }
  void clear() { of_pattern_.clear(); }

 private:
  const access_pattern& learn(const warp_request&);

  std::vector<std::unique_ptr<access_pattern>> of_pattern_;
};

}  // namespace simtlab::emulator
