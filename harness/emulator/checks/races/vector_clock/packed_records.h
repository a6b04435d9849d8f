// What requests did to lines of memory of 64 bytes, packed: 28 bytes a record, 8 where one lane touched one place.
#pragma once

#include <bit>
#include <cstdint>

#include "checks/races/shadow/slab_pool.h"
#include "core/types.h"

namespace simtlab::emulator {

/// Bytes of a line, a bit each, and the lanes that touch them.
struct touched_bytes {
  std::uint64_t bytes = 0;
  lane_mask lanes = 0;
  std::int8_t first = 0;  ///< with a unit: the lane of the line's first unit, touched or not
  /// Lanes in a row each touch some of as many bytes, stretches next to one another; 0: each lane touches all of `bytes`.
  std::uint8_t unit = 0;
  std::int8_t step = 1;  ///< -1: the next stretch is the lane before's

  [[nodiscard]] lane_mask lanes_at(unsigned byte) const {
    return unit == 0 ? lanes : lane_mask{1} << (first + step * static_cast<int>(byte / unit));
  }
  [[nodiscard]] bool has_shape_of(const touched_bytes& o) const {
    return unit == o.unit && (unit == 0 ? lanes == o.lanes : first == o.first && step == o.step);
  }
  friend bool operator==(const touched_bytes&, const touched_bytes&) = default;
};

struct access_record {
  touched_bytes what;
  std::uint32_t event = 0;
  std::uint32_t next = 0;      ///< 0: the last of its list
  std::uint32_t contents = 0;  ///< of a write; 0: not known, or not the same for all lanes
};

/// Records by number; 0 is none. Which of the two forms a record has shows in its number.
class packed_records {
 public:
  static constexpr std::uint32_t most_whole = (std::uint32_t{1} << 26) - 1;

  [[nodiscard]] static bool is_short(std::uint32_t number) { return (number & short_mark) != 0; }
  /// Whether a short record can tell it. `line_contents`: the number of the contents that records of its line have in common.
  [[nodiscard]] bool fits_short(const access_record& r, std::uint32_t line_contents) const {
    const auto width = static_cast<unsigned>(std::popcount(r.what.bytes));
    return r.what.unit == 0 && std::has_single_bit(r.what.lanes) && std::has_single_bit(width) &&
           (r.contents == 0 || r.contents == line_contents) && r.event < most_short_events &&
           bytes_at(place_of(r)) == r.what.bytes && short_.in_use() < most_whole;
  }
  [[nodiscard]] std::uint32_t take_short(const access_record& r) {
    const std::uint32_t number = short_.take();
    short_[number] = packed(r);
    return number | short_mark;
  }
  [[nodiscard]] std::uint32_t take_whole(const access_record& r) {
    const std::uint32_t number = whole_.take();
    set_whole(number, r);
    return number;
  }
  void set_whole(std::uint32_t number, const access_record& r) {
    const touched_bytes& w = r.what;
    whole_[number] = {static_cast<std::uint32_t>(w.bytes),
                      static_cast<std::uint32_t>(w.bytes >> 32),
                      w.lanes,
                      r.event,
                      r.next,
                      r.contents != 0 ? r.contents : 1,
                      w.first,
                      w.unit,
                      w.step,
                      r.contents != 0};
  }
  void give_back(std::uint32_t number) {
    if (is_short(number)) {
      short_.give_back(number & ~short_mark);
      return;
    }
    whole_[number].has_contents = false;
    whole_[number].contents_or_holders = 0;
    whole_.give_back(number);
  }

  [[nodiscard]] std::uint64_t bytes(std::uint32_t number) const {
    if (is_short(number)) return bytes_at(short_at(number).place);
    const whole_record& r = whole_[number];
    return r.low_bytes | std::uint64_t{r.high_bytes} << 32;
  }
  [[nodiscard]] std::uint32_t next(std::uint32_t number) const {
    return is_short(number) ? static_cast<std::uint32_t>(short_at(number).next) : whole_[number].next;
  }
  void set_next(std::uint32_t number, std::uint32_t next) {
    if (is_short(number)) {
      short_[number & ~short_mark].next = next & any_number;
    } else {
      whole_[number].next = next;
    }
  }
  [[nodiscard]] access_record record(std::uint32_t number, std::uint32_t line_contents) const {
    if (is_short(number)) {
      const short_record r = short_at(number);
      return {{bytes_at(r.place), lane_mask{1} << r.lane, 0, 0, 1},
              static_cast<std::uint32_t>(r.event),
              static_cast<std::uint32_t>(r.next),
              r.has_contents != 0 ? line_contents : 0};
    }
    const whole_record& r = whole_[number];
    return {{r.low_bytes | std::uint64_t{r.high_bytes} << 32, r.lanes, r.first, r.unit, r.step},
            r.event,
            r.next,
            r.has_contents ? r.contents_or_holders : 0};
  }

  /// Lists that go through it: lines whose list begins here, and records before this one. More than one only of whole records
  /// without contents; 0 if it is not in use.
  [[nodiscard]] std::uint32_t holders(std::uint32_t number) const {
    return is_short(number) || whole_[number].has_contents ? 1 : whole_[number].contents_or_holders;
  }
  void hold(std::uint32_t number) { ++whole_[number].contents_or_holders; }
  /// True if nobody holds it any more: then it has been given back.
  bool let_go(std::uint32_t number) {
    if (holders(number) > 1) {
      --whole_[number].contents_or_holders;
      return false;
    }
    give_back(number);
    return true;
  }
  /// Whether a short record says what `r`, without contents, does.
  [[nodiscard]] bool is_short_of(std::uint32_t number, const access_record& r) const {
    return is_short(number) && short_at(number) == packed(r);
  }

  [[nodiscard]] bool is_full() const { return whole_.in_use() >= most_whole; }
  void reuse() {
    whole_.reuse();
    short_.reuse();
  }

 private:
  static constexpr std::uint32_t short_mark = most_whole + 1, any_number = 2 * short_mark - 1;
  static constexpr std::uint32_t most_short_events = std::uint32_t{1} << 24;

  /// One lane touched the `place` of its line: of as many places as fit into a line, numbered from their count on.
  struct short_record {
    std::uint64_t next : 27;
    std::uint64_t event : 24;
    std::uint64_t place : 7;
    std::uint64_t lane : 5;
    std::uint64_t has_contents : 1;  ///< its line's
    friend bool operator==(const short_record&, const short_record&) = default;
  };
  static_assert(sizeof(short_record) == 8);
  struct whole_record {
    std::uint32_t low_bytes, high_bytes;  // in halves, so that nothing is lost to alignment
    lane_mask lanes;
    std::uint32_t event, next;
    std::uint32_t contents_or_holders;
    std::int8_t first;
    std::uint8_t unit;
    std::int8_t step;
    bool has_contents;
  };
  static_assert(sizeof(whole_record) == 28);

  static std::uint64_t bytes_at(unsigned place) {
    const unsigned width = 64U >> (std::bit_width(place) - 1);
    if (width == 64) return ~std::uint64_t{0};
    return ((std::uint64_t{1} << width) - 1) << (place * width - 64);
  }
  /// Of bytes that are one place, or none.
  static unsigned place_of(const access_record& r) {
    const auto width = static_cast<unsigned>(std::popcount(r.what.bytes));
    return (64 + static_cast<unsigned>(std::countr_zero(r.what.bytes))) / width;
  }
  static short_record packed(const access_record& r) {
    short_record s{};
    s.next = r.next & any_number;
    s.event = r.event & (most_short_events - 1);
    s.place = place_of(r) & 0x7f;
    s.lane = static_cast<unsigned>(std::countr_zero(r.what.lanes)) & 0x1f;
    s.has_contents = r.contents != 0;
    return s;
  }
  [[nodiscard]] const short_record& short_at(std::uint32_t number) const { return short_[number & ~short_mark]; }

  slab_pool<whole_record> whole_;
  slab_pool<short_record> short_;
};

}  // namespace simtlab::emulator
