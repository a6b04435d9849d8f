// Which memory one side of a copy between host and device is.
#pragma once

#include <cstdint>
#include <string>

namespace simtlab::emulator {

/// One side of a copy between host and device: an array, as far as one is known, and where in it the copy begins.
struct copied_range {
  std::string array;        ///< empty where no name is known
  std::uint64_t id = 0;     ///< tells arrays of one name apart; 0: memory of the host
  std::uint64_t bytes = 0;  ///< of the array; 0: none is known
  std::uint64_t offset = 0;
};

}  // namespace simtlab::emulator
