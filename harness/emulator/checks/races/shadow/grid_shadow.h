// What the blocks of one launch did to each word of global memory: a cell of 4 bytes for a 4-byte word, shared by all workers.
// A word whose bytes have different histories names the cells of the four, which words have in common where they are alike.
//
// A cell names two blocks and the interned history of what was done. A third block needs a name only while one of its
// accesses is the only one of its kind (one code site, one block); such names stand in a side table, so that the answer is
// exact whatever the order of the blocks: a pair of accesses conflicts if and only if two different blocks made them.
//
// Cells lie in stretches of 256 bytes of memory, which name the blocks that their cells speak of. A stretch has a lock;
// whoever finds that an access changes nothing needs none. The pair of accesses is told by the worker whose access made it
// conflict, once.
//
// Pages carry the launch that they were last used in and are wiped when a later launch first touches them: launches are
// ordered. Block numbers are folded into 32 bits; of two blocks whose numbers differ by a multiple of 2^32 - 2, conflicts
// are not seen (`most_blocks` tells when this can happen).
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "checks/races/shadow/interned_histories.h"
#include "checks/races/shadow/slab_pool.h"
#include "core/address_table.h"

namespace simtlab::emulator {

/// Told of every step that made entries conflict.
struct block_conflict {
  history_id from = no_history;
  history_access access;
  address at = 0;
  unsigned bytes = 4;  ///< that two blocks race for
};

/// What a block's access stores to a word or byte.
struct block_store {
  bool is_write = false;
  bool is_known = false;  ///< what it stores
  /// A digest that depends on the width. Where one or two bytes are stored at a time: they themselves, in their place in the
  /// word.
  std::uint32_t value = 0;
};

class grid_shadow {
  static constexpr address stretch_bytes = 256;
  static constexpr std::size_t words_in_stretch = stretch_bytes / 4;
  using word_values = std::array<std::atomic<std::uint32_t>, words_in_stretch>;
  struct stretch;
  struct page;
  struct more_names {
    static constexpr std::size_t count = 14;
    std::array<std::uint32_t, count> blocks{};
    more_names* next = nullptr;
  };
  struct byte_cell {
    std::uint16_t a = 0, b = 0;  // names of blocks
    history_id set = no_history;
    friend bool operator==(const byte_cell&, const byte_cell&) = default;
  };
  using byte_cells = std::array<byte_cell, 4>;
  struct split_word {
    byte_cells bytes;
    std::uint32_t words = 0;  // that are so
  };

 public:
  static constexpr std::uint64_t most_blocks = (std::uint64_t{1} << 32) - 2;

  explicit grid_shadow(interned_histories& sets);
  ~grid_shadow();
  grid_shadow(const grid_shadow&) = delete;  // workers hold pointers to its pages
  grid_shadow& operator=(const grid_shadow&) = delete;

  /// Between launches: forgets everything.
  void launch_begins();
  /// More blocks than a cell can name had a part in the history of one word: conflicts may have been missed.
  [[nodiscard]] bool is_exhausted() const { return exhausted_.load(std::memory_order_relaxed); }

  /// A worker's way to the cells; keeps what it used last. One per worker and launch.
  class view {
   public:
    explicit view(grid_shadow& of) : of_(of) {}
    void block_begins(std::uint64_t index);
    /// `bytes`: 4 for the word at `a`, 1 for the byte. A word that several threads store to, each a byte or two, counts as
    /// one if all of it is stored. Appends to `conflicts`.
    void touch(address a, unsigned bytes, request_transitions&, const block_store&,
               std::vector<block_conflict>& conflicts);
    /// The same for reads of the words from `begin` to `end`.
    void read(address begin, address end, request_transitions&, std::vector<block_conflict>& conflicts);
    /// What the launch's first known write stored to each word of the line of 128 bytes at `a`, as block_store tells it; a
    /// byte's value stays from its first write on. Null: of no word is it known.
    [[nodiscard]] const std::atomic<std::uint32_t>* first_values(address a) {
      if (a / stretch_bytes != number_) go_to(a);
      return values_of_line(a);
    }
    /// After the last `touch` of a request.
    void request_ends() { release(); }
    /// Whether in this launch a block other than `block` stored something plainly in [a, a + bytes).
    [[nodiscard]] bool is_written_by_others(address a, std::uint64_t bytes, std::uint64_t block);

   private:
    struct line {
      address number = ~address{0};
      page* at = nullptr;
    };
    enum class outcome : std::uint8_t { done, needs_lock, needs_bytes };
    [[nodiscard]] const std::atomic<std::uint32_t>* values_of_line(address a) const;
    void go_to(address a);
    void hold();
    void release();
    /// The values of the stretch in use, which it has from now on. Only while it is held.
    word_values& stored();
    /// The present block's number among the stretch's names.
    std::uint16_t name();
    outcome touch_word(address a, request_transitions&, const block_store&, std::vector<block_conflict>& conflicts);
    /// `comparable`: the bits of its word's first value that a write of the same width must equal.
    void touch_byte(byte_cell&, address a, std::uint32_t comparable, request_transitions&, const block_store&,
                    std::vector<block_conflict>& conflicts);
    [[nodiscard]] std::uint32_t cell_at(address a) const;
    /// Only while the stretch is held.
    void set_cell(address a, std::uint32_t);
    [[nodiscard]] byte_cells bytes_of(address a) const;
    void put(address a, const byte_cells&);

    grid_shadow& of_;
    std::uint32_t block_ = 0;
    std::array<line, 64> lines_;
    address number_ = ~address{0};  // of the stretch in use
    stretch* at_ = nullptr;
    std::uint16_t name_ = 0;  // of the block in it; 0: none, or not known yet
    bool is_held_ = false;
  };

 private:
  struct shard {
    std::mutex mutex;
    std::unordered_map<address, std::vector<std::uint32_t>> blocks;  // of a word, in the order of their labels
  };

  [[nodiscard]] static std::uint32_t name_of(std::uint64_t block) {
    return static_cast<std::uint32_t>(block % most_blocks) + 1;
  }
  page& ready_page(address a);
  word_values* take_values();
  more_names* take_names();
  [[nodiscard]] byte_cells bytes_of(std::uint32_t number);
  /// The number of split words that are so now, in place of `number`, which may be 0; that one if there is no room.
  std::uint32_t changed(std::uint32_t number, const byte_cells&);
  void drop(std::uint32_t number) {
    const std::lock_guard lock(splitting_);
    drop_split(number);
  }
  void drop_split(std::uint32_t number);
  /// The label of a block that is neither of the two that a cell names.
  labels label_of(address word, std::uint32_t block);
  [[nodiscard]] labels known_label_of(address word, std::uint32_t block);
  shard& shard_of(address word) { return shards_[word / 4 % shards_.size()]; }

  static constexpr unsigned page_shift = 14;
  interned_histories& sets_;
  address_table<page, page_shift> pages_;
  std::array<shard, 64> shards_;
  std::mutex preparing_;
  slab_pool<word_values> values_;
  slab_pool<more_names> names_;
  std::mutex splitting_;
  slab_pool<split_word> split_;
  std::array<std::uint32_t, 4096> alike_{};  // split words, by a hash of their bytes
  std::uint32_t launch_ = 1;
  std::atomic<bool> exhausted_{false};
};

}  // namespace simtlab::emulator
