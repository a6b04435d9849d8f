// Who touched each line of memory how, for vector_clock_races.h: three lists of records a line of 64 bytes, of reads, writes and
// atomic operations. Reads need no look at other reads, and atomic operations none at others.
//
// A record is what one request, or several of the same warp that nothing tells apart, did to one line. What
// its lanes have in common stands in an event, shared by all records of a request. Lines that were read alike share their lists, from the end on:
// where many blocks read all of an array, few lists tell of it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "checks/races/shadow/slab_pool.h"
#include "checks/races/vector_clock/vector_clock.h"
#include "core/mix64.h"
#include "core/types.h"

namespace simtlab::emulator {

/// Strong accesses are atomic operations, volatile reads, and volatile writes that publish: they race with plain ones, and with
/// strong ones of other blocks where one of the two is of block scope.
enum class access_strength : std::uint8_t { plain, in_block, strong };

struct access_event {
  static constexpr std::uint64_t any_block = (std::uint64_t{1} << 40) - 1;
  site where = 0;
  std::uint32_t known = 0;      ///< number of the clock: to its threads, beyond what the whole block knows
  std::uint32_t bare_lock = 0;  ///< taken with no fence since (happens_before.h); 0: none
  logical_time when = 0;
  std::uint64_t block : 40 = 0;  ///< more than one launch ever gets to
  std::uint64_t warp : 5 = 0;
  std::uint64_t width : 13 = 4;
  access kind : 2 = access::read;
  access_strength strength : 2 = access_strength::plain;
  bool changes_nothing : 1 = false;  ///< an atomic operation
  static constexpr std::uint32_t largest_width = 0x1fff;
  friend bool operator==(const access_event&, const access_event&) = default;
};
static_assert(sizeof(access_event) == 32);

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
  /// Lists that go through it: lines whose list begins here, and records before this one. More than one only of records without
  /// contents; 0: it is not in use.
  std::uint32_t holders = 1;
};
static_assert(sizeof(access_record) == 32);

/// Of the line's words: a digest of what was stored, 0 if not known; words stored a byte or two at a time themselves.
using line_contents = std::array<std::uint32_t, 16>;

class access_records {
 public:
  static constexpr address line_bytes = 64;
  struct line {
    std::uint32_t reads = 0, writes = 0, atomics = 0;  ///< heads of lists
    std::uint32_t contents = 0;                        ///< that records have in common which store to different bytes
    std::uint64_t stored = 0;                          ///< bytes of those records
  };

  void wipe() {
    if (events_.in_use() == 0 && numbers_.empty()) return;  // a block that waits is taken up again and again
    numbers_.clear();
    last_ = nullptr;
    pages_.reuse();
    records_.reuse();
    contents_.reuse();
    events_.reuse();
    clocks_.assign(1, nullptr);
    latest_.fill(0);
    alike_.fill(0);
  }
  [[nodiscard]] line& at(address a) {
    const address number = a / page_bytes;
    if (last_ == nullptr || number != last_number_) {
      const auto [entry, fresh] = numbers_.try_emplace(number, 0);
      if (fresh) pages_[entry->second = pages_.take()] = {};
      last_ = &pages_[entry->second];
      last_number_ = number;
    }
    return (*last_)[a % page_bytes / line_bytes];
  }

  /// The number of the event, which knows `known`; the same for equal events in a row.
  std::uint32_t number_of(access_event e, const clock_ref& known) {
    const std::uint64_t hash = mix64((std::uint64_t{e.where} << 32 | e.warp) ^ mix64(e.block));
    std::uint32_t& latest = latest_[hash >> 52];
    if (latest != 0 && clocks_[events_[latest].known] == known) {
      e.known = events_[latest].known;
      if (events_[latest] == e) return latest;
    } else if (known != nullptr) {
      if (clocks_.back() != known) clocks_.push_back(known);
      e.known = static_cast<std::uint32_t>(clocks_.size() - 1);
    }
    events_[latest = events_.take()] = e;
    return latest;
  }
  [[nodiscard]] const access_event& event(std::uint32_t number) const { return events_[number]; }
  [[nodiscard]] const clock_ref& known(const access_event& e) const { return clocks_[e.known]; }
  [[nodiscard]] const access_record& record(std::uint32_t number) const { return records_[number]; }
  [[nodiscard]] line_contents& contents(std::uint32_t number) { return contents_[number]; }

  /// False when there is no room. `list`: of the line. `contents`: null if not known.
  bool push(line& l, std::uint32_t& list, access_record r, const line_contents* contents) {
    if (records_.in_use() >= most_records) return false;
    if (contents != nullptr) {
      const std::uint64_t bytes = stored_by(r, r.what.bytes);
      if (l.contents == 0) l.contents = contents_.take();
      const bool shares = (l.stored & bytes) == 0;
      if (shares) l.stored |= bytes;
      r.contents = shares ? l.contents : contents_.take();
      line_contents& to = contents_[r.contents];
      for (unsigned word = 0; word < to.size(); ++word) {
        std::uint32_t mask = 0;
        for (unsigned i = 0; i < 4; ++i)
          if ((bytes >> (4 * word + i) & 1) != 0) mask |= std::uint32_t{0xff} << 8 * i;
        to[word] = (to[word] & ~mask) | ((*contents)[word] & mask);
      }
    }
    r.next = list;
    list = made(r);
    return true;
  }
  /// Where a record has room for what it stores once it tells of `bytes`.
  std::uint32_t contents_for(line& l, const access_record& r, std::uint64_t bytes) {
    if (r.contents != l.contents) return r.contents;
    const std::uint64_t before = stored_by(r, r.what.bytes), now = stored_by(r, bytes);
    if ((l.stored & now & ~before) == 0) {
      l.stored |= now;
      return r.contents;
    }
    const std::uint32_t own = contents_.take();
    contents_[own] = contents_[l.contents];
    l.stored &= ~before;
    return own;
  }
  /// Changes the record at `place` of `list`, the first of which are `path`; null: takes it out.
  void edit(line& l, std::uint32_t& list, const std::vector<std::uint32_t>& path, std::size_t place,
            const access_record* changed) {
    std::size_t own = 0;  // records that no other list has
    while (own <= place && records_[path[own]].holders == 1) ++own;
    const access_record old = records_[path[place]];
    std::uint32_t rest = old.next;
    if (own > place && changed != nullptr) {
      records_[path[place]] = *changed;
      return;
    }
    if (own > place) {
      if (old.contents != 0 && old.contents == l.contents) l.stored &= ~stored_by(old, old.what.bytes);
      if (old.contents != 0 && old.contents != l.contents) contents_.give_back(old.contents);
      give_back(path[place]);
    } else {
      // Records that lists share are reads, without contents.
      if (rest != 0) ++records_[rest].holders;
      if (changed != nullptr) {
        access_record r = *changed;
        r.next = rest;
        rest = made(r);
      }
      for (std::size_t i = place; i > own; --i) {
        access_record r = records_[path[i - 1]];
        r.next = rest;
        rest = made(r);
      }
      let_go(path[own]);
    }
    if (place == 0 || own == 0) {
      list = rest;
    } else {
      records_[path[std::min(own, place) - 1]].next = rest;
    }
  }

 private:
  /// The bytes of its line's contents that a record of `bytes` has: a digest is of whole words.
  [[nodiscard]] std::uint64_t stored_by(const access_record& r, std::uint64_t bytes) const {
    if (events_[r.event].width < 4) return bytes;
    constexpr std::uint64_t first_bytes = 0x1111'1111'1111'1111;
    return ((bytes | bytes >> 1 | bytes >> 2 | bytes >> 3) & first_bytes) * 0xf;
  }
  /// A record that is like `r`, whose hold of the next one it takes over.
  std::uint32_t made(access_record r) {
    r.holders = 1;
    std::uint32_t* const alike = r.contents == 0 ? &alike_[hash_of(r) >> 52] : nullptr;
    if (alike != nullptr && *alike != 0) {
      access_record& known = records_[*alike];
      if (known.holders != 0 && known.contents == 0 && known.what == r.what && known.event == r.event &&
          known.next == r.next) {
        ++known.holders;
        let_go(r.next);
        return *alike;
      }
    }
    const std::uint32_t number = records_.take();
    records_[number] = r;
    if (alike != nullptr) *alike = number;
    return number;
  }
  void give_back(std::uint32_t number) {
    records_[number].holders = 0;
    records_.give_back(number);
  }
  /// One list fewer goes through the record, and through those behind it that nobody else holds.
  void let_go(std::uint32_t number) {
    while (number != 0 && --records_[number].holders == 0) {
      const std::uint32_t next = records_[number].next;
      records_.give_back(number);
      number = next;
    }
  }
  static std::uint64_t hash_of(const access_record& r) {
    return mix64(mix64(mix64(r.what.bytes) ^ r.what.lanes ^ std::uint64_t{r.event} << 32) ^ r.next);
  }

  static constexpr std::size_t most_records = std::size_t{1} << 26;
  static constexpr address page_bytes = 4096;
  using page = std::array<line, page_bytes / line_bytes>;

  std::unordered_map<address, std::uint32_t> numbers_;  // of pages
  slab_pool<page> pages_;
  address last_number_ = 0;
  page* last_ = nullptr;
  slab_pool<access_record> records_;
  slab_pool<line_contents> contents_;
  slab_pool<access_event> events_;
  std::vector<clock_ref> clocks_ = std::vector<clock_ref>(1);
  std::array<std::uint32_t, 4096> alike_{};   // records, by a hash of what they say
  std::array<std::uint32_t, 4096> latest_{};  // events, by a hash of site, warp and block
};

}  // namespace simtlab::emulator
