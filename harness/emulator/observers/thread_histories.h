// What the threads of one block did to its lines of memory (thread_lines.h), request by request: tells what conflicts.
//
// A request comes as runs, lanes in a row that touch memory in a row, or word by word where it has no such shape. While a line
// is told by units, each of its bytes was touched by one thread alone, so that nothing in it can conflict.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

#include "observers/access_pattern.h"
#include "observers/access_sets.h"
#include "observers/thread_lines.h"
#include "observers/value_digest.h"
#include "observers/warp_order.h"

namespace simtlab::emulator {

/// Lanes of one warp that access a cell together.
struct lane_access {
  unsigned warp = 0;
  lane_mask lanes = 0;
  bool is_write = false;
  bool differs = false;     ///< the lanes store different values
  std::uint16_t value = 0;  ///< short digest of what they store, a byte's own value; 0 if not known
};

/// Told of every step that made entries conflict.
struct thread_conflict {
  access_set from = no_accesses;
  set_access access;
  lane_mask lanes = 0;         ///< that made the access
  std::uint16_t a = 0, b = 0;  ///< the threads that the labels mean
};

class thread_histories {
 public:
  thread_histories(const warp_order& order, line_pieces& pieces) : order_(order), pieces_(pieces) {}

  /// The order's times, which stay while a request is looked at.
  struct moment {
    warp_order::time now, settled;
  };
  [[nodiscard]] moment present() const { return {order_.now(), order_.settled()}; }

  /// The part of a run that lies in one line. False, and nothing done, if the line must be told by cells.
  bool touch_units(thread_line&, const moment&, request_steps&, const warp_request&, const run_piece&);
  /// The cells of a line that is told by cells from now on.
  [[nodiscard]] line_cells& cells_of(thread_line& l, const moment& m) {
    if (l.time < m.settled || l.as == thread_line::layout::by_units) [[unlikely]]
      give_cells(l, m);
    l.time = m.now;
    return pieces_.cells[l.pieces];
  }
  /// A word or a byte. `told(thread_conflict)`. False, and nothing done, if the word's bytes have cells of their own.
  template <class Told>
  bool touch(packed_cell&, const moment&, request_steps&, const lane_access&, Told&& told) const;
  /// Lanes of `warp` read words in a row. Notes it for those at the begin that two threads of another warp and threads of a
  /// third one have touched, and about which there is nothing to tell; returns how many these are.
  [[nodiscard]] static std::size_t read_by_third_warp(std::span<packed_cell> words, const moment&, request_steps&,
                                                      unsigned warp);
  /// The cells of the word's bytes, which it has from now on.
  [[nodiscard]] byte_cells& bytes_of(packed_cell& word, const moment&);
  /// Takes the cells of a word's bytes back if one can say the same.
  void unite(packed_cell& word);

 private:
  void give_cells(thread_line&, const moment&);
  void store_values(thread_line&, const warp_request&, const run_piece&);

  const warp_order& order_;
  line_pieces& pieces_;
};

[[gnu::always_inline]] inline std::size_t thread_histories::read_by_third_warp(std::span<packed_cell> words,
                                                                               const moment& m, request_steps& steps,
                                                                               unsigned warp) {
  constexpr std::uint64_t both = std::uint64_t{thread_cell::has_b | thread_cell::has_foreign} << 36;
  constexpr std::uint64_t threads = ((std::uint64_t{1} << 22) - 1) << 26;
  access_set from = no_accesses;  // no word that was touched has it
  std::uint64_t after = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::uint64_t head = words[i].head();
    const bool is_third = (head & both) == both && (head >> 31 & 31) != warp && (head >> 41 & 31) != warp;
    if (!is_third || (head & warp_order::latest) < m.settled) return i;
    if (const auto set = static_cast<access_set>(head >> 48); set != from) {
      const access_step step = steps.add(set, label::foreign_other, false);
      if (step.conflicts) return i;
      from = set;
      after = std::uint64_t{m.now} | std::uint64_t{step.next} << 48;
    }
    words[i].put_head((head & threads) | after);
  }
  return words.size();
}

template <class Told>
[[gnu::always_inline]] inline bool thread_histories::touch(packed_cell& packed, const moment& m, request_steps& steps,
                                                           const lane_access& by_lanes, Told&& told) const {
  thread_cell c = packed.get();
  access_set from = c.set;
  labels by;
  if (c.time < m.settled) {
    from = no_accesses;
    c.value = 0;
    by = cell::found(c, by_lanes.warp, by_lanes.lanes);
  } else if (from == split_into_bytes || c.value == thread_cell::packed_bytes) [[unlikely]] {
    return false;
  } else if (c.time != m.now && (c.b & thread_cell::has_foreign) == 0 && c.a / warp_size == by_lanes.warp &&
             order_.is_before(c.time, c.lanes, by_lanes.warp, by_lanes.lanes)) {
    from = steps.cache().before(from);
    by = cell::found(c, by_lanes.warp, by_lanes.lanes);
  } else {
    by = cell::joined(c, by_lanes.warp, by_lanes.lanes);
  }
  bool differs = by_lanes.differs;
  if (by_lanes.is_write) {
    differs |= by_lanes.value == 0 || (c.value != 0 && c.value != by_lanes.value);
    if (c.value == 0) c.value = by_lanes.value;
  }
  const access_step step = steps.add(from, by, differs);
  c.set = step.next;
  c.time = m.now;
  packed.put(c);
  if (step.conflicts) [[unlikely]]
    told(thread_conflict{from, steps.last(), by_lanes.lanes, c.a,
                         static_cast<std::uint16_t>(c.b & thread_cell::thread_bits)});
  return true;
}

}  // namespace simtlab::emulator
