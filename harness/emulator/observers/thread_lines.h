// What the threads of one block did to the memory that it touched, since that was last ordered: lines of 128 bytes.
//
// Most lines are touched by neighbouring threads in neighbouring places, all in the same way. One such line is told by a
// few words: which words, which thread touched the first, and the history that they all have. Any other access gives the line
// a cell for each word (thread_cell.h), and a word that is touched in part a cell for each byte.
//
// What a line says is void once a block barrier lies behind its time, so lines are never cleared, and the cells that they
// point to are all taken back at the barrier.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "observers/lazy_memory.h"
#include "observers/piece_pool.h"
#include "observers/thread_cell.h"

namespace simtlab::emulator {

struct thread_line {
  static constexpr address bytes = 128;
  static constexpr unsigned words_in_line = bytes / 4;
  enum class layout : std::uint8_t { by_units, by_cells };

  warp_order::time time = 0;  ///< of the last access
  std::uint32_t words = 0;    ///< by units: those touched, a bit each
  std::uint32_t pieces = 0;   ///< by cells: number of the cells; by units: of the first values stored, 0 if not known
  access_set set = no_accesses;
  std::int16_t thread = 0;  ///< by units: of the unit at the line's begin, whether touched or not; later ones follow
  layout as = layout::by_units;
  std::uint8_t unit = 4;  ///< bytes that each thread touched
};
static_assert(sizeof(thread_line) == 20);

/// The first value stored to each word: a hash, or for units of less than a word the bytes themselves.
using line_values = std::array<std::uint32_t, thread_line::words_in_line>;
using line_cells = std::array<packed_cell, thread_line::words_in_line>;
using byte_cells = std::array<packed_cell, 4>;

/// What lines point to; for one worker.
struct line_pieces {
  piece_pool<line_values> values;
  piece_pool<line_cells> cells;
  piece_pool<byte_cells> bytes;

  /// All lines are void.
  void reuse() {
    values.reuse();
    cells.reuse();
    bytes.reuse();
  }
  void clear() {
    values.clear();
    cells.clear();
    bytes.clear();
  }
};

/// Lines of the block's shared memory, by offset in the shared window.
class shared_lines {
 public:
  static constexpr address window_bytes = address{1} << 25;

  [[nodiscard]] thread_line& line(address a) { return lines_[a / thread_line::bytes]; }
  void wipe() { lines_.wipe(); }

 private:
  lazy_memory<thread_line> lines_{window_bytes / thread_line::bytes};
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
  [[nodiscard]] thread_line& line(address a) {
    const address number = a / page_bytes;
    if (last_ == nullptr || number != last_number_) {
      last_ = &find(number);
      last_number_ = number;
    }
    return (*last_)[a % page_bytes / thread_line::bytes];
  }
  void wipe();

 private:
  static constexpr address page_bytes = 2048;
  using page = std::array<thread_line, page_bytes / thread_line::bytes>;
  struct slot {
    address number = 0;
    std::uint32_t generation = 0;
    std::uint32_t page = 0;
  };

  page& find(address number);
  [[nodiscard]] std::size_t place(address number) const {
    return (number * 0x9e3779b97f4a7c15 >> 32) & (slots_.size() - 1);
  }
  void grow();

  std::vector<slot> slots_ = std::vector<slot>(1024);
  piece_pool<page> pages_;
  std::uint32_t generation_ = 1;
  address last_number_ = 0;
  page* last_ = nullptr;
};

}  // namespace simtlab::emulator
