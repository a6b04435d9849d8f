// What the threads of one block did to the memory that it touched, since that was last ordered: lines of 128 bytes.
//
// Most lines are touched by neighbouring threads in neighbouring places, all in the same way. One such line is told by a
// few words: which words, which thread touched the first, and the history that they all have. Any other access gives each of the line's
// words what shadow_states.h tells.
//
// What a line says is void once a block barrier lies behind its time, so lines are never cleared, and the words that they
// point to are all taken back at the barrier.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "checks/races/shadow/shadow_states.h"
#include "checks/races/shadow/slab_pool.h"
#include "core/lazy_memory.h"
#include "core/mix64.h"

namespace simtlab::emulator {

struct shadow_line {
  static constexpr address bytes = 128;
  static constexpr unsigned words_in_line = bytes / 4;
  enum class layout : std::uint8_t { by_units, packed, wide };

  barrier_epochs::epoch epoch = 0;  ///< of the last access
  std::uint32_t words = 0;   ///< by units: those touched, a bit each; else the number of the packed or wide words
  std::uint32_t values = 0;  ///< number of the first values stored; 0: none is known
  static constexpr std::uint32_t as_of_launch = ~std::uint32_t{0};  ///< a number: they are the first of the launch
  history_id set = no_history;
  std::int16_t thread = 0;  ///< by units: of the unit at the line's begin, whether touched or not; later ones follow
  layout as = layout::by_units;
  std::uint8_t unit = 4;  ///< bytes that each thread touched
};
static_assert(sizeof(shadow_line) == 20);

/// What a byte's first known write stored, if all of its writes are of one width: a byte of a digest, or for units of less than a word the
/// byte itself.
using line_values = std::array<std::uint32_t, shadow_line::words_in_line>;
using line_words = std::array<packed_word, shadow_line::words_in_line>;
using wide_line_words = std::array<wide_word, shadow_line::words_in_line>;

/// What lines point to; for one worker.
struct shadow_slabs {
  slab_pool<line_values> values;
  slab_pool<line_words> packed;
  slab_pool<wide_line_words> wide;

  /// All lines are void.
  void reuse() {
    values.reuse();
    packed.reuse();
    wide.reuse();
  }
  void clear() {
    values.clear();
    packed.clear();
    wide.clear();
  }
};

/// Lines of the block's shared memory, by offset in the shared window.
class shared_lines {
 public:
  static constexpr address window_bytes = address{1} << 25;

  [[nodiscard]] shadow_line& line(address a) { return lines_[a / shadow_line::bytes]; }
  /// Those that say something among all, and void ones.
  template <class Visit>
  void each_line(Visit&& visit) {
    for (std::size_t i = 0; i < lines_.size(); ++i) visit(lines_[i]);
  }
  void wipe() { lines_.wipe(); }

 private:
  lazy_memory<shadow_line> lines_{window_bytes / shadow_line::bytes};
};

/// Lines of the global memory that the present block has touched since its last barrier: pages of a pool.
class global_lines {
 public:
  /// All lines are void.
  void reuse() {
    if (pages_.in_use() == 0) return;
    ++generation_;
    pages_.reuse();
    last_ = nullptr;
  }
  [[nodiscard]] shadow_line& line(address a) {
    const address number = a / page_bytes;
    if (last_ == nullptr || number != last_number_) {
      last_ = &find(number);
      last_number_ = number;
    }
    return (*last_)[a % page_bytes / shadow_line::bytes];
  }
  /// Those that say something among all, and void ones.
  template <class Visit>
  void each_line(Visit&& visit) {
    for (std::uint32_t i = 1; i <= pages_.in_use(); ++i)
      for (shadow_line& l : pages_[i]) visit(l);
  }
  void wipe();

 private:
  static constexpr address page_bytes = 2048;
  using page = std::array<shadow_line, page_bytes / shadow_line::bytes>;
  struct slot {
    address number = 0;
    std::uint32_t generation = 0;
    std::uint32_t page = 0;
  };

  page& find(address number);
  [[nodiscard]] std::size_t place(address number) const { return mix64(number) & (slots_.size() - 1); }
  void grow();

  std::vector<slot> slots_ = std::vector<slot>(1024);
  slab_pool<page> pages_;
  std::uint32_t generation_ = 1;
  address last_number_ = 0;
  page* last_ = nullptr;
};

}  // namespace simtlab::emulator
