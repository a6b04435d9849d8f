// What the threads of one block did to a byte, or to all bytes of a word, since its accesses were last ordered.
//
// A cell is the first thread that touched the place, and the number of a shape: all else, told from that thread on. Neighbouring threads
// that do the same to neighbouring places thus leave cells of one shape, whose number is a cell's only cost.
//
// When all of a cell's accesses come from one warp and are ordered before the present one by __syncwarp, they become "before":
// they no longer conflict inside that warp, but still with every other warp. An access of another warp ends that. To a read only
// writes count for that: a lane that looks at its own element first takes no order away from the lane that looks at it next.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "checks/races/barrier_epochs/barrier_epochs.h"
#include "checks/races/shadow/interned_histories.h"

namespace simtlab::emulator {

/// The first thread in bits 0-9, the shape's number above. 0: nobody touched the place since the last block barrier.
using shadow_word = std::uint32_t;

/// All of a cell but its first thread. Distances from that thread: of lanes in bits 0-4, of warps in bits 5-9, each modulo 32.
struct shadow_state {
  barrier_epochs::epoch epoch = 0;  ///< of the last access, since the last block barrier
  lane_mask lanes = 0;              ///< of the home warp, since the last relabelling; bit i: distance i
  history_id set = no_history;
  std::uint16_t b = 0;                ///< distance of the second thread, and flags
  barrier_epochs::epoch written = 0;  ///< with `has_written`: of the last access that was no read
  static constexpr std::uint16_t has_written = 0x1000, has_b = 0x800, has_foreign = 0x400, distance_bits = 0x3ff;
};
static_assert(sizeof(shadow_state) == 16);

namespace cell {

inline constexpr unsigned thread_bits = 10;
inline constexpr std::uint32_t most_shapes = std::uint32_t{1} << 21;

inline shadow_word of(unsigned first, std::uint32_t shape) { return first | shape << thread_bits; }
/// Its warp is the home warp.
inline unsigned first_thread(shadow_word c) { return c & ((1U << thread_bits) - 1); }
inline std::uint32_t shape_of(shadow_word c) { return c >> thread_bits; }

inline std::uint16_t distance(unsigned from, unsigned to) {
  return static_cast<std::uint16_t>(((to - from) & 31) | (((to >> 5) - (from >> 5)) & 31) << 5);
}
inline unsigned at_distance(unsigned from, unsigned by) {
  return ((from + by) & 31) | (((from >> 5) + (by >> 5)) & 31) << 5;
}
inline unsigned thread_of(unsigned warp, lane_mask lanes) {
  return warp * warp_size + static_cast<unsigned>(std::countr_zero(lanes));
}

/// Four cells at once.
using cell_vector [[gnu::vector_size(16)]] = shadow_word;
inline constexpr unsigned cells_at_once = sizeof(cell_vector) / sizeof(shadow_word);
inline constexpr cell_vector first_places = {0, 1, 2, 3};

/// Whether the cells are a row: their histories are the first one's, told from one thread further on every 2^shift cells, those threads
/// being of one warp; or all say nothing.
[[gnu::always_inline]] inline bool are_in_row(const shadow_word* cells, unsigned count, unsigned shift) {
  const shadow_word first = cells[0];
  if (first == 0) {
    shift = 31;  // none is told from any thread
  } else if (first_thread(first) % warp_size + ((count - 1) >> shift) >= warp_size) {
    return false;
  }
  cell_vector places = first_places, differences{};
  unsigned i = 0;
  for (; i + cells_at_once <= count; i += cells_at_once, places += cells_at_once) {
    cell_vector here;
    std::memcpy(&here, cells + i, sizeof here);
    differences |= here ^ ((places >> shift) + first);
  }
  shadow_word difference = differences[0] | differences[1] | differences[2] | differences[3];
  for (; i < count; ++i) difference |= cells[i] ^ (first + (i >> shift));
  return difference == 0;
}
/// Makes them a row.
[[gnu::always_inline]] inline void set_row(shadow_word* cells, unsigned count, unsigned shift, shadow_word first) {
  cell_vector places = first_places;
  unsigned i = 0;
  for (; i + cells_at_once <= count; i += cells_at_once, places += cells_at_once) {
    const cell_vector here = (places >> shift) + first;
    std::memcpy(cells + i, &here, sizeof here);
  }
  for (; i < count; ++i) cells[i] = first + (i >> shift);
}

/// The labels of `lanes`, the lowest of which is the cell's first thread, in a cell that nobody touched before.
inline labels found(shadow_state& c, unsigned first, lane_mask lanes) {
  c.lanes = std::rotr(lanes, static_cast<int>(first % warp_size));
  c.b = 0;
  const lane_mask others = lanes & (lanes - 1);
  if (others == 0) return label::thread_a;
  c.b = static_cast<std::uint16_t>(distance(first, thread_of(first / warp_size, others)) | shadow_state::has_b);
  return (others & (others - 1)) == 0 ? label::thread_a | label::thread_b
                                      : label::thread_a | label::thread_b | label::thread_other;
}

/// The labels of `lanes` in a cell that has a history; names the second thread if there was none.
inline labels joined(shadow_state& c, unsigned first, unsigned warp, lane_mask lanes) {
  labels by = 0;
  const bool is_home = first / warp_size == warp;
  if (is_home) {
    c.lanes |= std::rotr(lanes, static_cast<int>(first % warp_size));
    const lane_mask a = lane_mask{1} << first % warp_size;
    if ((lanes & a) != 0) by |= label::thread_a;
    lanes &= ~a;
  } else {
    c.b |= shadow_state::has_foreign;
  }
  if (lanes == 0) return by;
  if ((c.b & shadow_state::has_b) == 0)
    c.b = static_cast<std::uint16_t>(c.b | distance(first, thread_of(warp, lanes)) | shadow_state::has_b);
  const unsigned b = at_distance(first, c.b & shadow_state::distance_bits);
  if (b / warp_size == warp) {
    const lane_mask second = lane_mask{1} << b % warp_size;
    if ((lanes & second) != 0) by |= is_home ? label::thread_b : label::foreign_b;
    lanes &= ~second;
  }
  if (lanes != 0) by |= is_home ? label::thread_other : label::foreign_other;
  return by;
}

}  // namespace cell

}  // namespace simtlab::emulator
