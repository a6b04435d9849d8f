// Which words a request's lanes touch, seen from the address of its lowest lane.
//
// Most requests of a loop have the pattern of the one before, so it is worked out once and kept for the site: checking a
// request then costs one look per distinct word, not per lane and byte.
#pragma once

#include <algorithm>
#include <bit>
#include <memory>
#include <vector>

#include "observers/observer.h"

namespace simtlab::emulator {

/// The lanes of a request that touch one 4-byte word, whole.
struct word_group {
  std::int64_t distance = 0;  ///< in bytes, from the lowest lane's address to the word
  lane_mask lanes = 0;
};

/// Lanes in a row that touch memory in a row, each `width` bytes, together whole words.
struct lane_run {
  std::int64_t distance = 0;  ///< in bytes, from the lowest lane's address to the run's begin
  std::uint8_t lane = 0;      ///< its first
  std::uint8_t lanes = 0;
};

/// A part of a run of one request.
struct run_piece {
  address begin = 0, end = 0;
  unsigned lane = 0;  ///< that touches its begin

  [[nodiscard]] unsigned lane_at(address a, std::uint32_t width) const {
    return lane + static_cast<unsigned>((a - begin) / width);
  }
};

struct access_pattern {
  static constexpr std::size_t most_runs = 4;

  /// The bytes touched lie in [address + low, address + high), `address` being the lowest active lane's.
  std::int64_t low = 0, high = 0;
  bool aligned = false;           ///< every lane's address is a multiple of the width (widths 2, 4, 8 and 16)
  bool whole_words = false;       ///< every lane touches whole words; otherwise `words` is empty
  bool dense = false;             ///< whole words, and every word between low and high is touched
  std::vector<word_group> words;  ///< one per distinct word
  /// The whole request, no byte of which two lanes touch, as few runs; empty if it is none.
  std::vector<lane_run> runs;

  void set(const warp_request&);
  /// Calls `each(begin, bytes)` for stretches of memory that hold all that the request touches, as few bytes besides as is quickly
  /// told; whether it always said true. It is not called again once it says false.
  template <class Each>
  bool each_stretch(const warp_request&, Each&& each) const;
  /// Whether the stretches hold nothing that the request does not touch.
  [[nodiscard]] bool has_exact_stretches() const { return dense || !runs.empty(); }

 private:
  void set_runs(const warp_request&);
};

/// The lowest active lane's address.
[[nodiscard]] inline address first_address(const warp_request& r) {
  return r.addresses[static_cast<unsigned>(std::countr_zero(r.active))];
}

/// What lane `lane` stores to a word, as a digest; the word itself where lanes from `lane` on store it a byte or two at a time.
[[nodiscard]] std::uint32_t stored_word(const warp_request&, unsigned lane);

/// Whether accesses of `width` bytes must be aligned to their width.
[[nodiscard]] constexpr bool has_natural_alignment(std::uint32_t width) {
  return width == 2 || width == 4 || width == 8 || width == 16;
}

template <class Each>
bool access_pattern::each_stretch(const warp_request& r, Each&& each) const {
  const address first = first_address(r);
  if (runs.empty()) return each(first + static_cast<address>(low), static_cast<std::uint64_t>(high - low));
  return std::all_of(runs.begin(), runs.end(), [&](const lane_run& run) {
    return each(first + static_cast<address>(run.distance), std::uint64_t{run.lanes} * r.width);
  });
}

/// The last pattern of each slot.
class pattern_memory {
 public:
  /// The pattern of `r`; valid until the next call.
  const access_pattern& of(const warp_request& r) {
    if (r.repeats && r.slot < of_slot_.size() && of_slot_[r.slot] != nullptr) [[likely]]
      return *of_slot_[r.slot];
    return learn(r);
  }
  void clear() { of_slot_.clear(); }

 private:
  const access_pattern& learn(const warp_request&);

  std::vector<std::unique_ptr<access_pattern>> of_slot_;
};

}  // namespace simtlab::emulator
