#include "costs/bank_conflicts.h"

#include <algorithm>

namespace simtlab::emulator {
namespace {

/// The words of one group of lanes; at most 32 lanes of one word, 16 of two or 8 of four, and twice that when a load
/// tries a wider group.
struct word_list {
  std::array<address, 2 * warp_size> word;
  unsigned count = 0;
};

/// Highest number of distinct words in one bank; 0 for no words.
unsigned passes(const word_list& words) {
  if (words.count == 0) return 0;
  bool one_word = true, consecutive = words.count <= bank_count;
  for (unsigned i = 1; i < words.count; ++i) {
    one_word &= words.word[i] == words.word[0];
    consecutive &= words.word[i] == words.word[0] + i;
  }
  if (one_word || consecutive) return 1;

  // Distinct words of a bank are chained through `next`; each chain starts at `first`.
  constexpr std::uint8_t none = 0xff;
  std::array<std::uint8_t, bank_count> first, length{};
  std::array<std::uint8_t, 2 * warp_size> next;
  first.fill(none);
  unsigned highest = 0;
  for (unsigned i = 0; i < words.count; ++i) {
    const std::size_t bank = words.word[i] % bank_count;
    std::uint8_t seen = first[bank];
    while (seen != none && words.word[seen] != words.word[i]) seen = next[seen];
    if (seen != none) continue;
    next[i] = first[bank];
    first[bank] = static_cast<std::uint8_t>(i);
    highest = std::max<unsigned>(highest, ++length[bank]);
  }
  return highest;
}

/// Highest number of lanes' words in one bank, distinct or not.
unsigned turns(const word_list& words) {
  std::array<std::uint8_t, bank_count> in_bank{};
  unsigned highest = 0;
  for (unsigned i = 0; i < words.count; ++i)
    highest = std::max<unsigned>(highest, ++in_bank[words.word[i] % bank_count]);
  return highest;
}

/// One instruction of 4, 8 or 16 bytes a lane.
class vector_access {
 public:
  /// `in_turns`: lanes of one word are not served together.
  vector_access(const packed_lanes& lanes, unsigned words, std::uint64_t offset, bool in_turns)
      : words_(words), in_turns_(in_turns) {
    for (unsigned i = 0; i < lanes.count; ++i) {
      word_[lanes.lane[i]] = (lanes.at[i] + offset) / bank_bytes;
      active_ |= lane_mask{1} << lanes.lane[i];
    }
  }

  [[nodiscard]] unsigned wavefronts(bool is_load) const {
    if (words_ == 1) return passes_of(0, warp_size);
    const unsigned group = warp_size / words_;
    unsigned sum = 0;
    for (unsigned begin = 0; begin < warp_size; begin += 2 * group) {
      if (is_load && pairs_up(begin, 2 * group) && passes_of(begin, 2 * group) == 1) {
        ++sum;
      } else {
        sum += passes_of(begin, group) + passes_of(begin + group, group);
      }
    }
    return sum;
  }

  /// The same of a loop of swaps.
  [[nodiscard]] unsigned wavefronts_of_loop() const {
    const unsigned group = warp_size / words_;
    unsigned sum = 0;
    for (lane_mask rest = active_; rest != 0;) {
      lane_mask through = 0;
      for (unsigned begin = 0; begin < warp_size; begin += group) {
        std::array<bool, bank_count> taken{};
        sum += (rest & lanes_in(begin, group)) != 0 ? wavefronts_of_atomic(atomic_kind::loop) : 0;
        for (lane_mask those = rest & lanes_in(begin, group); those != 0; those &= those - 1) {
          const auto lane = static_cast<unsigned>(std::countr_zero(those));
          bool& bank = taken[word_[lane] % bank_count];
          if (!bank && !any_of(through, word_[lane])) through |= lane_mask{1} << lane;
          bank = true;
        }
      }
      rest &= ~through;
    }
    return sum;
  }

  [[nodiscard]] unsigned groups() const {
    const unsigned group = warp_size / words_;
    unsigned count = 0;
    for (unsigned begin = 0; begin < warp_size; begin += group) count += lanes_in(begin, group) != 0;
    return count;
  }

 private:
  [[nodiscard]] bool any_of(lane_mask lanes, address word) const {
    for (; lanes != 0; lanes &= lanes - 1)
      if (word_[static_cast<unsigned>(std::countr_zero(lanes))] == word) return true;
    return false;
  }

  [[nodiscard]] lane_mask lanes_in(unsigned begin, unsigned lanes) const {
    return active_ & (lanes == warp_size ? full_warp : ((lane_mask{1} << lanes) - 1) << begin);
  }

  [[nodiscard]] unsigned passes_of(unsigned begin, unsigned lanes) const {
    word_list list;
    for (lane_mask rest = lanes_in(begin, lanes); rest != 0; rest &= rest - 1) {
      const address from = word_[static_cast<unsigned>(std::countr_zero(rest))];
      for (unsigned i = 0; i < words_; ++i) list.word[list.count++] = from + i;
    }
    return in_turns_ ? turns(list) : passes(list);
  }

  /// Whether every active lane asks for what its xor-1 (or every one for what its xor-2) neighbour does, or has none.
  [[nodiscard]] bool pairs_up(unsigned begin, unsigned lanes) const {
    const lane_mask inside = lanes_in(begin, lanes);
    if (inside == 0) return false;
    for (const unsigned distance : {1u, 2u}) {
      bool all = true;
      for (lane_mask rest = inside; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        const unsigned neighbour = lane ^ distance;
        all &= (active_ >> neighbour & 1) == 0 || word_[neighbour] == word_[lane];
      }
      if (all) return true;
    }
    return false;
  }

  unsigned words_;
  bool in_turns_;
  lane_mask active_ = 0;
  std::array<address, warp_size> word_{};
};

}  // namespace

void add_bank_conflicts(const warp_request& request, const packed_lanes& lanes, request_counters& cost) {
  const std::uint32_t width = std::max(request.width, 1u);
  const std::uint32_t piece = width <= bank_bytes ? width : std::clamp(width & (~width + 1), bank_bytes, 16u);
  const bool in_turns = request.kind == access::atomic && request.atomic != atomic_kind::count;
  const bool by_group = request.atomic == atomic_kind::spin || request.atomic == atomic_kind::probe;
  const unsigned each = wavefronts_of_atomic(request.atomic);
  std::uint64_t wavefronts = 0, minimum = 0;
  for (std::uint32_t offset = 0; offset < width; offset += piece) {
    const vector_access one(lanes, std::max(piece / bank_bytes, 1u), offset, in_turns);
    const std::uint64_t passes = request.atomic == atomic_kind::loop ? one.wavefronts_of_loop()
                                 : by_group                          ? each * one.groups()
                                            : each * one.wavefronts(request.kind == access::read);
    wavefronts += passes;
    minimum += std::min<std::uint64_t>(passes, each * one.groups());
  }
  cost.wavefronts += wavefronts;
  cost.ideal_wavefronts += minimum;
  cost.largest_wavefronts = std::max(cost.largest_wavefronts, wavefronts);
}

}  // namespace simtlab::emulator
