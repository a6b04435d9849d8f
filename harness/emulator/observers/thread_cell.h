// What the threads of one block did to a word, or to a byte of it, since its accesses were last ordered.
//
// A cell whose last access lies before the last block barrier is empty, whatever it holds: nothing is ever cleared. When
// all of a cell's accesses come from one warp and are ordered before the present one by __syncwarp, they become "before":
// they no longer conflict inside that warp, but still with every other warp. An access of another warp ends that.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "observers/access_sets.h"
#include "observers/warp_order.h"

namespace simtlab::emulator {

struct thread_cell {
  warp_order::time time = 0;  ///< of the last access
  lane_mask lanes = 0;        ///< of the home warp, since the last relabelling
  access_set set = no_accesses;
  std::uint16_t value = 0;  ///< short hash of the first write; 0: no write, or its value is not known
  std::uint16_t a = 0;      ///< first thread; its warp is the home warp
  std::uint16_t b = 0;      ///< second thread and flags
  friend bool operator==(const thread_cell&, const thread_cell&) = default;
  static constexpr std::uint16_t has_b = 0x800, has_foreign = 0x400, thread_bits = 0x3ff;

  /// A value that no write has: one thread alone stored to the word, byte by byte, and `lanes` holds the bytes.
  static constexpr std::uint16_t packed_bytes = 2;
  /// What a write of one byte has for a value.
  [[nodiscard]] static constexpr std::uint16_t byte_value(std::uint32_t byte) {
    return static_cast<std::uint16_t>(0x100 | (byte & 0xff));
  }
};

/// A cell as it lies in memory: 14 bytes.
class packed_cell {
 public:
  [[nodiscard]] thread_cell get() const {
    std::uint64_t head = 0;
    thread_cell c;
    std::memcpy(&head, bytes_, 8);
    std::memcpy(&c.lanes, bytes_ + 8, 4);
    std::memcpy(&c.value, bytes_ + 12, 2);
    c.time = static_cast<warp_order::time>(head & warp_order::latest);
    c.a = static_cast<std::uint16_t>(head >> 26 & 0x3ff);
    c.b = static_cast<std::uint16_t>(head >> 36 & 0xfff);
    c.set = static_cast<access_set>(head >> 48);
    return c;
  }
  /// All but `lanes` and `value`: bits 0-25 time, 26-35 `a`, 36-47 `b`, 48-63 set.
  [[nodiscard]] std::uint64_t head() const {
    std::uint64_t head = 0;
    std::memcpy(&head, bytes_, 8);
    return head;
  }
  void put_head(std::uint64_t head) { std::memcpy(bytes_, &head, 8); }
  void put(const thread_cell& c) {
    const std::uint64_t head =
        std::uint64_t{c.time} | std::uint64_t{c.a} << 26 | std::uint64_t{c.b} << 36 | std::uint64_t{c.set} << 48;
    std::memcpy(bytes_, &head, 8);
    std::memcpy(bytes_ + 8, &c.lanes, 4);
    std::memcpy(bytes_ + 12, &c.value, 2);
  }

 private:
  static_assert(warp_order::latest == (1U << 26) - 1);
  unsigned char bytes_[14];
};
static_assert(sizeof(packed_cell) == 14);

// Inline: this is what most of a check's time goes to.

namespace cell {

inline std::uint16_t thread_of(unsigned warp, lane_mask lanes) {
  return static_cast<std::uint16_t>(warp * warp_size + static_cast<unsigned>(std::countr_zero(lanes)));
}

/// The labels of `lanes` in a cell that they are the first to touch; names them its first threads.
inline labels found(thread_cell& c, unsigned warp, lane_mask lanes) {
  c.lanes = lanes;
  c.a = thread_of(warp, lanes);
  c.b = 0;
  const lane_mask others = lanes & (lanes - 1);
  if (others == 0) return label::thread_a;
  c.b = static_cast<std::uint16_t>(thread_of(warp, others) | thread_cell::has_b);
  return (others & (others - 1)) == 0 ? label::thread_a | label::thread_b
                                      : label::thread_a | label::thread_b | label::thread_other;
}

/// The labels of `lanes` in a cell that has a history; names the second thread if there was none.
inline labels joined(thread_cell& c, unsigned warp, lane_mask lanes) {
  labels by = 0;
  const bool is_home = c.a / warp_size == warp;
  if (is_home) {
    c.lanes |= lanes;
    const lane_mask first = lane_mask{1} << (c.a % warp_size);
    if ((lanes & first) != 0) by |= label::thread_a;
    lanes &= ~first;
  } else {
    c.b |= thread_cell::has_foreign;
  }
  if (lanes == 0) return by;
  if ((c.b & thread_cell::has_b) == 0) {
    c.b = static_cast<std::uint16_t>(c.b | thread_of(warp, lanes) | thread_cell::has_b);
  }
  const unsigned b = c.b & thread_cell::thread_bits;
  if (b / warp_size == warp) {
    const lane_mask second = lane_mask{1} << (b % warp_size);
    if ((lanes & second) != 0) by |= is_home ? label::thread_b : label::foreign_b;
    lanes &= ~second;
  }
  if (lanes != 0) by |= is_home ? label::thread_other : label::foreign_other;
  return by;
}

}  // namespace cell

}  // namespace simtlab::emulator
