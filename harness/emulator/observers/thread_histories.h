// What the threads of one block did to one piece of memory since it was last ordered: a cell of 16 bytes for a 4-byte word,
// and for a byte once an access touches less than the word.
//
// A cell whose last access lies before the last block barrier is empty, whatever it holds: nothing is ever cleared. When
// all of a cell's accesses come from one warp and are ordered before the present one by __syncwarp, they become "before":
// they no longer conflict inside that warp, but still with every other warp. An access of another warp ends that.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

#include "observers/access_sets.h"
#include "observers/lazy_memory.h"
#include "observers/warp_order.h"

namespace simtlab::emulator {

struct thread_cell {
  std::uint32_t time = 0;  ///< of the last access
  lane_mask lanes = 0;     ///< of the home warp, since the last relabelling
  access_set set = no_accesses;
  std::uint16_t value = 0;  ///< short hash of the first write; 0: no write, or its value is not known
  std::uint16_t a = 0;      ///< first thread; its warp is the home warp
  std::uint16_t b = 0;      ///< second thread and flags
  static constexpr std::uint16_t has_b = 0x8000, has_foreign = 0x4000, thread_bits = 0x3fff;
};
static_assert(sizeof(thread_cell) == 16);

/// Lanes of one warp that access a cell together.
struct lane_access {
  unsigned warp = 0;
  lane_mask lanes = 0;
  bool is_write = false;
  bool differs = false;     ///< the lanes store different values
  std::uint16_t value = 0;  ///< short hash of what they store; 0 if not known
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
  explicit thread_histories(const warp_order& order) : order_(order) {}

  /// The order's times, which stay while a request is looked at.
  struct moment {
    warp_order::time now, settled;
  };
  [[nodiscard]] moment present() const { return {order_.now(), order_.settled()}; }
  /// `told` takes a thread_conflict.
  template <class Told>
  void touch(thread_cell& c, const moment&, request_steps& steps, lane_access, Told&& told) const;
  [[nodiscard]] bool is_live(const thread_cell& c) const { return c.time >= order_.settled(); }
  [[nodiscard]] bool is_split(const thread_cell& c) const { return is_live(c) && c.set == split_into_bytes; }
  /// Gives the word's history to its four bytes.
  void split(thread_cell& word, thread_cell* bytes) const;

 private:
  const warp_order& order_;
};

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

template <class Told>
[[gnu::always_inline]] inline void thread_histories::touch(thread_cell& c, const moment& m, request_steps& steps,
                                                           lane_access a, Told&& told) const {
  access_set from = c.set;
  labels by;
  if (c.time < m.settled) {
    from = no_accesses;
    c.value = 0;
    by = cell::found(c, a.warp, a.lanes);
  } else if (c.time != m.now && (c.b & thread_cell::has_foreign) == 0 && c.a / warp_size == a.warp &&
             order_.is_before(c.time, c.lanes, a.warp, a.lanes)) {
    from = steps.cache().before(from);
    by = cell::found(c, a.warp, a.lanes);
  } else {
    by = cell::joined(c, a.warp, a.lanes);
  }
  if (a.is_write) {
    a.differs |= a.value == 0 || (c.value != 0 && c.value != a.value);
    if (c.value == 0) c.value = a.value;
  }
  const access_step step = steps.add(from, by, a.differs);
  c.set = step.next;
  c.time = m.now;
  if (step.conflicts) [[unlikely]]
    told(thread_conflict{from, steps.last(), a.lanes, c.a, static_cast<std::uint16_t>(c.b & thread_cell::thread_bits)});
}

/// Cells of the block's shared memory, by offset in the shared window.
class shared_cells {
 public:
  static constexpr address window_bytes = address{1} << 25;

  [[nodiscard]] thread_cell& word(address a) { return words_[a / 4]; }
  [[nodiscard]] thread_cell* bytes(address a) { return &bytes_[a / 4 * 4]; }
  void wipe() {
    words_.wipe();
    bytes_.wipe();
  }

 private:
  lazy_memory<thread_cell> words_{window_bytes / 4};
  lazy_memory<thread_cell> bytes_{window_bytes};
};

/// Cells of the global memory that the present block has touched: pages of a pool that each block uses afresh.
class global_cells {
 public:
  void block_begins() {
    ++generation_;
    used_ = 0;
    last_ = nullptr;
  }
  [[nodiscard]] thread_cell& word(address a) { return page_of(a).words[a / 4 % words_per_page]; }
  [[nodiscard]] thread_cell* bytes(address a) {
    page& p = page_of(a);
    if (p.bytes == nullptr) p.bytes = byte_cells_.take(page_bytes);
    return &p.bytes[a % page_bytes / 4 * 4];
  }
  void wipe();

 private:
  static constexpr address page_bytes = 1024;
  static constexpr std::size_t words_per_page = page_bytes / 4;
  struct page {
    thread_cell* words = nullptr;
    thread_cell* bytes = nullptr;  // null until an access touches less than a word
  };
  /// Zeroed cells, cut from mappings: a general allocator would round a page's cells up to twice their size.
  class cell_supply {
   public:
    thread_cell* take(std::size_t cells) {
      if (left_ < cells) {
        left_ = cells_per_mapping;
        mappings_.push_back(std::make_unique<lazy_memory<thread_cell>>(left_));
      }
      left_ -= cells;
      return mappings_.back()->data() + left_;
    }
    void clear() {
      mappings_.clear();
      left_ = 0;
    }

   private:
    static constexpr std::size_t cells_per_mapping = std::size_t{1} << 16;
    std::vector<std::unique_ptr<lazy_memory<thread_cell>>> mappings_;
    std::size_t left_ = 0;
  };
  struct slot {
    address number = 0;
    std::uint32_t generation = 0;
    page* at = nullptr;
  };

  page& page_of(address a) {
    const address number = a / page_bytes;
    if (last_ == nullptr || number != last_number_) {
      last_ = &find(number);
      last_number_ = number;
    }
    return *last_;
  }
  page& find(address number);
  [[nodiscard]] std::size_t place(address number) const {
    return (number * 0x9e3779b97f4a7c15 >> 32) & (slots_.size() - 1);
  }
  void grow();

  std::vector<slot> slots_ = std::vector<slot>(1024);
  std::vector<std::unique_ptr<page>> pool_;
  cell_supply word_cells_, byte_cells_;
  std::size_t used_ = 0;  // pages of the pool that this block has taken
  std::uint32_t generation_ = 0;
  address last_number_ = 0;
  page* last_ = nullptr;
};

}  // namespace simtlab::emulator
