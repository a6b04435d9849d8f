// What the blocks of one launch did to each word of global memory: a cell of 8 bytes for a 4-byte word, shared by all
// workers, and a cell for each of its bytes once an access touches less than the word.
//
// A cell names two blocks and the interned history of what was done. A third block needs a name only while one of its
// accesses is the only one of its kind (one code site, one block); such names stand in a side table, so that the answer is
// exact whatever the order of the blocks: a pair of accesses conflicts if and only if two different blocks made them.
// Cells are updated by compare-and-swap; the pair of accesses is told by the worker whose swap made it conflict, once.
//
// Pages carry the launch that they were last used in and are wiped when a later launch first touches them: launches are
// ordered. Block numbers are folded into 24 bits; of two blocks whose numbers differ by a multiple of 2^24 - 2, conflicts
// are not seen (`most_blocks` tells when this can happen). Edges between blocks that are not barriers (release and acquire)
// would order a block after others in `touch`; there are none yet.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "observers/access_sets.h"
#include "observers/address_table.h"

namespace simtlab::emulator {

/// Told of every step that made entries conflict.
struct block_conflict {
  access_set from = no_accesses;
  set_access access;
  address at = 0;
  unsigned bytes = 4;  ///< that two blocks race for
};

/// One block's access to a cell.
struct block_access {
  std::uint32_t block = 0;  ///< `block_histories::name_of` its linear index
  bool is_write = false;
  std::uint32_t value = 0;  ///< hash of what a write stores, 0 if not known
};

class block_histories {
  struct byte_cells;
  struct page;

 public:
  static constexpr std::uint64_t most_blocks = (std::uint64_t{1} << 24) - 2;
  static constexpr unsigned page_shift = 14;

  explicit block_histories(access_sets& sets);
  ~block_histories();
  block_histories(const block_histories&) = delete;  // workers hold pointers to its pages
  block_histories& operator=(const block_histories&) = delete;

  /// How cells call a block.
  [[nodiscard]] static std::uint32_t name_of(std::uint64_t block) {
    return static_cast<std::uint32_t>(block % most_blocks) + 1;
  }
  /// Between launches: forgets everything.
  void launch_begins();
  /// More blocks than a cell can name had a part in the history of one word: conflicts may have been missed.
  [[nodiscard]] bool is_exhausted() const { return exhausted_.load(std::memory_order_relaxed); }

  /// A worker's way to the cells; keeps what it used last. One per worker and launch.
  class view {
   public:
    explicit view(block_histories& of) : of_(of) {}
    /// `bytes`: 4 for the word at `a`, 1 for the byte. Appends to `conflicts`.
    void touch(address a, unsigned bytes, request_steps&, const block_access&, std::vector<block_conflict>& conflicts);
    /// Whether in this launch a block other than `block` stored something plainly in [a, a + bytes).
    [[nodiscard]] bool is_written_by_others(address a, std::uint64_t bytes, std::uint64_t block);

   private:
    struct line {
      address number = ~address{0};
      page* at = nullptr;
    };
    page& page_of(address a) {
      line& l = lines_[(a >> page_shift) % lines_.size()];
      if (l.number != a >> page_shift) [[unlikely]]
        l = {a >> page_shift, &of_.ready_page(a)};
      return *l.at;
    }
    /// False if the cell turned out to be split.
    bool touch_cell(std::atomic<std::uint64_t>& cell, std::atomic<std::uint32_t>& first_value, address at,
                    unsigned bytes, request_steps&, const block_access&, std::vector<block_conflict>& conflicts);
    bool has_others_write(std::uint64_t cell, address word, std::uint64_t block);

    block_histories& of_;
    std::array<line, 64> lines_;
  };

 private:
  struct shard {
    std::mutex mutex;
    std::unordered_map<address, std::vector<std::uint32_t>> blocks;  // of a word, in the order of their labels
  };

  page& ready_page(address a);
  /// Gives each byte of the word its history and value.
  void split(page&, address word);
  /// The label of a block that is neither of the two that a cell names.
  labels label_of(address word, std::uint32_t block);
  [[nodiscard]] labels known_label_of(address word, std::uint32_t block);
  shard& shard_of(address word) { return shards_[word / 4 % shards_.size()]; }

  access_sets& sets_;
  address_table<page, page_shift> pages_;
  std::array<shard, 64> shards_;
  std::mutex preparing_;
  std::uint32_t launch_ = 1;
  std::atomic<bool> exhausted_{false};
};

}  // namespace simtlab::emulator
