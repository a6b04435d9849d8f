// What the threads of one block did to its lines of memory (shadow_lines.h), request by request: tells what conflicts.
//
// A request comes as runs, lanes in a row that touch memory in a row, or word by word where it has no such shape. While a line
// is told by units, each of its bytes was touched by one thread alone, so that nothing in it can conflict.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>

#include "checks/access_pattern.h"
#include "checks/races/barrier_epochs/barrier_epochs.h"
#include "checks/races/shadow/interned_histories.h"
#include "checks/races/shadow/shadow_lines.h"
#include "checks/races/shadow/shadow_states.h"
#include "checks/value_digest.h"

namespace simtlab::emulator {

/// Lanes of one warp that access a word or a byte of it together.
struct lane_access {
  lane_mask lanes = 0;
  bool differs = false;     ///< they store different values, or unknown ones
  std::uint32_t value = 0;  ///< what they store, as stored_word() tells it
};

/// Told of every step that made entries conflict.
struct thread_conflict {
  history_id from = no_history;
  history_access access;
  lane_mask lanes = 0;    ///< that made the access
  unsigned a = 0, b = 0;  ///< the threads that the labels mean
};

class block_shadow {
 public:
  block_shadow(const barrier_epochs& order, shadow_slabs& pieces, shadow_states& shapes)
      : order_(order), pieces_(pieces), shapes_(shapes) {}

  /// The order's times, which stay while a request is looked at.
  struct moment {
    barrier_epochs::epoch now, settled;
  };
  [[nodiscard]] moment present() const { return {order_.now(), order_.settled()}; }

  /// What is the same for all of a request, and the step that its last cell took.
  struct request_cells {
    const warp_request& request;
    moment m;
    request_transitions& steps;
    std::uint64_t access;  ///< site, width and kind
    transition_cache::step last{};
    request_cells(const warp_request& r, const moment& present, request_transitions& s)
        : request(r), m(present), steps(s), access(access_of(r)) {}
  };
  [[nodiscard]] static std::uint64_t access_of(const warp_request& r) {
    return std::uint64_t{r.where} << 32 | std::uint32_t{width_trait::of(r)} << 8 |
           static_cast<std::uint32_t>(r.kind) << 1;
  }
  /// What the first write of the launch stored to each word of a line that is written, the present one told; null if it is not known.
  using launch_values = const std::atomic<std::uint32_t>*;
  /// A line that is told word by word.
  struct open_line {
    shadow_line& line;
    line_words* packed;  ///< null if it is wide
    launch_values of_launch;
  };

  /// The part of a run that lies in one line. False, and nothing done, if the line must be told word by word.
  bool touch_units(shadow_line&, const moment&, request_transitions&, const warp_request&, const run_piece&,
                   launch_values);
  /// The line is told word by word from now on.
  [[nodiscard]] open_line open(shadow_line& l, const moment& m, launch_values of_launch) {
    if (l.epoch < m.settled || l.as == shadow_line::layout::by_units) [[unlikely]]
      give_words(l, m);
    l.epoch = m.now;
    return {l, l.as == shadow_line::layout::packed ? &pieces_.packed[l.words] : nullptr, of_launch};
  }
  /// `bytes`: 4 for the word at `at`, 1 for the byte. `told(conflict, address)`.
  template <class Told>
  void touch(open_line&, request_cells&, address at, unsigned bytes, const lane_access&, Told&& told);
  /// Words of a line in a row: the lanes of each are those of the word 2^shift before, moved up by one.
  struct words_in_row {
    unsigned word = 0, count = 0, shift = 0;  ///< `word`: the first one's number in the line
    lane_mask lanes = 0;                      ///< of the first word
  };
  /// Not for writes. True if all words took the same step and it was known, which most are; otherwise nothing is done.
  /// `access`: access_of(the request).
  bool step_row(const shadow_line&, const moment&, std::uint64_t access, unsigned warp, const words_in_row&);
  /// Puts the line's shapes, of `old`, among the present ones.
  void move_shapes(const shadow_line&, const shadow_states& old);

 private:
  void give_words(shadow_line&, const moment&);
  /// The bytes of `mask` have their first write. A line takes values of its own only where they are not the launch's.
  void store_first(shadow_line&, launch_values, unsigned word, std::uint32_t mask, std::uint32_t value);
  /// The same for words in a row from `word` on, all of them.
  void store_first(shadow_line&, launch_values, unsigned word, const std::uint32_t* values, unsigned count);
  line_values& own_values(shadow_line&, launch_values);
  [[nodiscard]] std::uint32_t first_value(const shadow_line&, launch_values, unsigned word) const;
  [[nodiscard]] byte_cells bytes_of(const open_line&, unsigned word) const;
  void put(open_line&, unsigned word, const byte_cells&);

  /// All that an access's step from a shape depends on besides the access and the time, told from the first thread on.
  [[nodiscard]] static std::uint64_t step_key(std::uint32_t shape, bool fresh, unsigned first, unsigned warp,
                                              lane_mask lanes);
  /// How what a write stores compares with the history's writes.
  enum class sameness : std::uint8_t {
    same,
    differs,
    differs_from_before  ///< only from what is ordered before it
  };
  template <class Told>
  [[nodiscard]] shadow_word next(shadow_word, request_cells&, const lane_access&, sameness, Told&& told);
  /// Whether all that the cell tells is ordered before the access, by barriers of its warp.
  [[nodiscard]] bool is_over(shadow_word, const request_cells&, const lane_access&) const;
  /// The shape that the access makes of `from`, which is empty, or over, if `fresh`; `told(thread_conflict)`.
  struct changed_shape {
    std::uint32_t to = 0;
    bool conflicts = false;
    thread_conflict conflict;
  };
  [[nodiscard]] changed_shape change(std::uint32_t from, bool fresh, unsigned first, request_cells&, lane_mask,
                                     sameness);
  [[nodiscard]] std::uint8_t stored_units(shadow_word c, const request_cells& r) const {
    return c == 0 ? std::uint8_t{0} : r.steps.cache().sets().stored_units(shapes_[cell::shape_of(c)].set);
  }
  /// Of a write of a known value. `own`: the cell's bits; `comparable`: those of the first value that must be equal.
  [[nodiscard]] sameness compare(const open_line&, unsigned word, std::uint32_t own, std::uint32_t comparable,
                                 shadow_word, const request_cells&, const lane_access&);

  const barrier_epochs& order_;
  shadow_slabs& pieces_;
  shadow_states& shapes_;
};

[[gnu::always_inline]] inline std::uint64_t block_shadow::step_key(std::uint32_t shape, bool fresh, unsigned first,
                                                                   unsigned warp, lane_mask lanes) {
  unsigned warps = 0, lane = 0;
  if (!fresh) {
    // Distances from the first thread: of the warp, and of the lowest lane that is not that thread.
    warps = (warp - first / warp_size) & 31;
    const lane_mask others = warps == 0 ? lanes & ~(lane_mask{1} << first % warp_size) : lanes;
    if (others != 0) lane = (static_cast<unsigned>(std::countr_zero(others)) - first) & 31;
  }
  return std::uint64_t{std::rotr(lanes, static_cast<int>(first % warp_size))} << 32 | shape << 11 | warps << 6 |
         lane << 1 | (fresh ? 1U : 0U);
}

[[gnu::always_inline]] inline bool block_shadow::is_over(shadow_word c, const request_cells& r,
                                                         const lane_access& a) const {
  if (r.m.now == r.m.settled) [[likely]]
    return false;
  const shadow_state& s = shapes_[cell::shape_of(c)];
  const unsigned warp = r.request.warp, first = cell::first_thread(c);
  const bool looks = r.request.kind == access::read && (s.b & shadow_state::has_written) != 0;
  const barrier_epochs::epoch at = (looks ? s.written : s.epoch) + r.m.settled;
  return at != r.m.now && (s.b & shadow_state::has_foreign) == 0 && first / warp_size == warp &&
         order_.is_before(at, std::rotl(s.lanes, static_cast<int>(first % warp_size)), warp, a.lanes);
}

template <class Told>
[[gnu::always_inline]] inline shadow_word block_shadow::next(shadow_word from, request_cells& r, const lane_access& a,
                                                             sameness stored, Told&& told) {
  const unsigned warp = r.request.warp;
  const std::uint32_t shape = cell::shape_of(from);
  unsigned first = cell::first_thread(from);
  const bool fresh = shape == 0 || is_over(from, r, a);
  if (fresh) first = cell::thread_of(warp, a.lanes);
  const std::uint64_t key = step_key(shape, fresh, first, warp, a.lanes);
  const std::uint64_t access = r.access | (stored == sameness::differs               ? 1U
                                           : stored == sameness::differs_from_before ? 0x80U
                                                                                     : 0U);
  if (r.last.from == key && r.last.access == access) [[likely]]
    return cell::of(first, r.last.to);
  const barrier_epochs::epoch when = r.m.now - r.m.settled;
  transition_cache::step& known = shapes_.steps().at(key, access, when);
  if (known.from != key || known.access != access || known.when != when || known.to == 0) [[unlikely]] {
    const changed_shape changed = change(shape, fresh, first, r, a.lanes, stored);
    if (changed.conflicts) {
      told(changed.conflict);
      return cell::of(first, changed.to);
    }
    known = {key, access, when, changed.to};
  }
  r.last = known;
  return cell::of(first, known.to);
}

template <class Told>
[[gnu::always_inline]] inline void block_shadow::touch(open_line& l, request_cells& r, address at, unsigned bytes,
                                                       const lane_access& a, Told&& told) {
  const auto word = static_cast<unsigned>(at % shadow_line::bytes / 4);
  const bool stores = r.request.kind == access::write && !a.differs;
  constexpr std::uint32_t all_bits = ~std::uint32_t{0};
  if (bytes == 4 && l.packed != nullptr && shadow_states::is_cell((*l.packed)[word])) [[likely]] {
    shadow_word& c = (*l.packed)[word];
    const sameness stored = a.differs ? sameness::differs
                            : stores  ? compare(l, word, all_bits, all_bits, c, r, a)
                                      : sameness::same;
    c = next(c, r, a, stored, [&](const thread_conflict& found) { told(found, at); });
    return;
  }
  byte_cells all = bytes_of(l, word);
  // A byte keeps its own part of the first value, whatever is stored to its neighbours.
  std::uint32_t comparable = 0;
  for (unsigned i = 0; stores && i < 4; ++i)
    if (stored_units(all[i], r) == interned_histories::unit_of(r.request.width))
      comparable |= std::uint32_t{0xff} << 8 * i;
  for (auto i = static_cast<unsigned>(at % 4), end = i + bytes; i < end; ++i) {
    const std::uint32_t own = std::uint32_t{0xff} << 8 * i;
    const std::uint32_t together = comparable & stored_together(i, bytes, r.request.width);
    const sameness stored = a.differs ? sameness::differs
                            : stores  ? compare(l, word, own, together, all[i], r, a)
                                      : sameness::same;
    all[i] = next(all[i], r, a, stored, [&](const thread_conflict& found) { told(found, at / 4 * 4 + i); });
  }
  put(l, word, all);
}

[[gnu::always_inline]] inline bool block_shadow::step_row(const shadow_line& l, const moment& m, std::uint64_t access,
                                                          unsigned warp, const words_in_row& row) {
  if (l.epoch < m.settled || l.as != shadow_line::layout::packed || m.now != m.settled) return false;
  shadow_word* const cells = pieces_.packed[l.words].data() + row.word;
  const shadow_word from = cells[0];
  if (!shadow_states::is_cell(from) || !cell::are_in_row(cells, row.count, row.shift)) return false;
  const bool fresh = from == 0;
  const unsigned first = fresh ? cell::thread_of(warp, row.lanes) : cell::first_thread(from);
  const std::uint64_t key = step_key(cell::shape_of(from), fresh, first, warp, row.lanes);
  const std::uint32_t shape = shapes_.steps().known_now(key, access);
  if (shape == 0) return false;
  const shadow_word to = cell::of(first, shape);
  if (to != from) cell::set_row(cells, row.count, row.shift, to);
  return true;
}

}  // namespace simtlab::emulator
