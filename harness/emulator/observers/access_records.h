// Who touched each word of memory how, for ordered_races.h: two lists of records a word, one of reads and one of all else.
//
// A record is one request's access to one word: 16 bytes. What its lanes have in common stands in an event, shared by all
// records of a request. Reads need no look at other reads.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "core/types.h"
#include "observers/sync_clock.h"

namespace simtlab::emulator {

/// Strong accesses are atomic operations, volatile reads, and volatile writes behind a fence: they race with plain ones only.
enum class access_strength : std::uint8_t { plain, strong };

struct access_event {
  site where = 0;
  access kind = access::read;
  access_strength strength = access_strength::plain;
  std::uint16_t width = 4;
  std::uint32_t warp = 0;
  std::uint64_t block = 0;
  sync_time when = 0;
  clock_ref known;  ///< to its threads, beyond what the whole block knows
  friend bool operator==(const access_event&, const access_event&) = default;
};

struct access_record {
  std::uint32_t event = 0;
  lane_mask lanes = 0;
  std::uint32_t next = 0;   ///< 0: the last of its list
  std::uint16_t value = 0;  ///< short hash of what a write stored; 0: not known, or not the same for all lanes
  std::uint8_t bytes = 0;   ///< of the word, a bit each
};
static_assert(sizeof(access_record) == 16);

class access_records {
 public:
  struct word {
    std::uint32_t reads = 0, writes = 0;  ///< heads of lists; atomic operations count as writes
  };
  static constexpr std::size_t most_records = std::size_t{1} << 26;

  access_records() { wipe(); }
  void wipe() {
    pages_.clear();
    last_ = nullptr;
    records_.assign(1, {});
    events_.clear();
    latest_.clear();
  }

  [[nodiscard]] word& at(address a) {
    const address number = a / page_bytes;
    if (last_ == nullptr || number != last_number_) {
      auto& page = pages_[number];
      if (page == nullptr) page = std::make_unique<words>();
      last_ = page.get();
      last_number_ = number;
    }
    return (*last_)[a % page_bytes / 4];
  }
  /// The event's number; the same for equal events in a row.
  std::uint32_t number_of(const access_event& e) {
    std::uint32_t& latest = latest_[(std::uint64_t{e.where} << 32 | e.warp) ^ e.block * 0x9e3779b97f4a7c15];
    if (latest == 0 || !(events_[latest - 1] == e)) {
      events_.push_back(e);
      latest = static_cast<std::uint32_t>(events_.size());
    }
    return latest - 1;
  }
  [[nodiscard]] const access_event& event(const access_record& r) const { return events_[r.event]; }
  [[nodiscard]] access_record& record(std::uint32_t number) { return records_[number]; }
  /// False when there is no room.
  bool push(std::uint32_t& list, access_record r) {
    if (records_.size() >= most_records) return false;
    r.next = list;
    list = static_cast<std::uint32_t>(records_.size());
    records_.push_back(r);
    return true;
  }

 private:
  static constexpr address page_bytes = 4096;
  using words = std::array<word, page_bytes / 4>;

  std::unordered_map<address, std::unique_ptr<words>> pages_;
  address last_number_ = 0;
  words* last_ = nullptr;
  std::vector<access_record> records_;
  std::vector<access_event> events_;
  std::unordered_map<std::uint64_t, std::uint32_t> latest_;  // event number + 1 of a site, warp and block
};

}  // namespace simtlab::emulator
