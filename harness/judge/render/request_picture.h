// One request of a warp as rows of 32 cells: which lane asks for which word, in which line and sector of global memory, or in which
// bank and pass of shared memory.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "protocol/measurement.h"

namespace simtlab {

inline constexpr unsigned lanes_of_warp = 32;
/// Whether the lane takes part in the request.
[[nodiscard]] inline bool is_active(const request_example& e, unsigned lane) { return (e.active >> lane & 1) != 0; }

struct picture_cell {
  std::uint32_t lanes = 0;  ///< a bit for each lane that asks for it
  bool is_moved = false;    ///< comes along with its sector
};

struct picture_row {
  std::string label;  ///< "input + 128", "pass 3"
  std::array<picture_cell, 32> cells;
};

struct request_picture {
  std::vector<picture_row> rows;
  bool is_banks = false;             ///< rows are passes through the banks, not lines of global memory
  unsigned cells_between_bars = 32;  ///< of a sector; 32 for banks
  /// Whether the rows, or their sectors, are as many as the counter says: wide loads of shared memory are served in other groups than
  /// those of the picture now and then, and an atomic operation takes several passes.
  bool agrees = true;
};

/// No rows where a picture would show nothing: constant memory, which `words_of_request` tells, and ranges of bytes.
[[nodiscard]] request_picture picture_of(const example_place&, const request_example&);

/// "The most frequent of 3 patterns, 1,024 requests. In block (0,0,0), warp 0: 32 lanes ask for 4 bytes each: 32 sectors, where 4
/// would do."
[[nodiscard]] std::string words_of_request(const example_place&, const request_example&);

/// The rows as characters, the first `most_rows` of them; "" without rows.
[[nodiscard]] std::string picture_text(const request_picture&, std::size_t most_rows);
/// The row's cells as 32 characters: `.` nothing, `-` moved with its sector, 0 to 9 and a to v a lane, A to Z how many lanes from 2 to
/// 27, w to z from 28 to 31, `*` all of them.
[[nodiscard]] std::string cells_text(const picture_row&);
/// What the characters of `picture_text` mean.
[[nodiscard]] std::string picture_legend();

/// The rows as an element `svg`, the first `most_rows` of them; "" without rows. `title` is what a screen reader says of it. The classes
/// of its parts are those of `profile_page.cpp`'s style.
[[nodiscard]] std::string picture_svg(const request_picture&, const std::string& title, std::size_t most_rows);

/// Text in HTML.
[[nodiscard]] std::string escaped(const std::string&);

}  // namespace simtlab
