// Counters per source line and variable, added up over launches: the rows of the terminal table and of the profile.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "protocol/measurement.h"

namespace simtlab {

struct line_row {
  std::string file;
  int line = 0;
  std::string space, kind, variable;
  std::string access;  ///< "read a", "write tile", "atomic bins", "read padded (from a)"
  std::uint64_t requests = 0, lanes = 0, sectors = 0, minimum_sectors = 0, wavefronts = 0, minimum_wavefronts = 0,
                words = 0;

  /// What the row costs beyond its minimum, in 32-byte sectors or wavefronts: by this the worst lines are found.
  [[nodiscard]] std::uint64_t waste() const;
  [[nodiscard]] std::string sectors_text() const;  ///< per request; "" outside of global memory
  [[nodiscard]] std::string wavefronts_text()
      const;                                     ///< per request of shared memory; of constant memory one for each word
  [[nodiscard]] std::string lanes_text() const;  ///< active per request
};

/// Sorted by file, line, space, kind, variable. Local memory is left out.
[[nodiscard]] std::vector<line_row> line_counters(const measurements&);

}  // namespace simtlab
