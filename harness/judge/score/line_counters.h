// Counters per source line and variable, added up over launches, worked out once: the facts' member `lines`, and the rows of the
// terminal's table and of the profile.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "emulator/core/request_figures.h"
#include "protocol/measurement.h"

namespace simtlab {

struct line_row : emulator::request_counters {
  std::string file;
  int line = 0;
  std::string space, kind, variable;
  std::set<std::string> derived_from;  ///< arguments whose bytes an array of the program's own may hold
  std::string access;                  ///< "read a", "write tile", "atomic bins", "read padded (from a)"
  std::uint64_t width = 0;             ///< bytes per lane; 0 when they differ

  [[nodiscard]] emulator::request_figures figures() const;
  /// What the row costs beyond its minimum, in 32-byte sectors or wavefronts: by this the worst lines are found.
  [[nodiscard]] std::uint64_t excess() const { return figures().excess(); }
  /// Per request; "" where the memory has no such cost (request_figures.h).
  [[nodiscard]] std::string sectors_text() const;
  [[nodiscard]] std::string wavefronts_text() const;
  [[nodiscard]] std::string lanes_text() const;
  /// "32 sectors per request, 12 % of them needed", for a list of the dearest.
  [[nodiscard]] std::string cost_text() const;
};

/// Sorted by file, line, space, kind, variable. Local memory is left out (request_figures.h).
[[nodiscard]] std::vector<line_row> line_counters(const measurements&);

/// A line of the source: all its rows together.
struct source_line_counters {
  std::string file;
  int line = 0;
  emulator::request_figures figures;
  double share = 0;  ///< of the excess of all lines
  std::vector<line_row> rows;
};

/// Sorted by file and line.
[[nodiscard]] std::vector<source_line_counters> lines_of(std::vector<line_row> rows);

}  // namespace simtlab
