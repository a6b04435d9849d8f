// Where the lanes of a launch have their copies of its wide parameters (trace/parameters.h). Each copy lies as far below the
// frame that calls the kernel as that of any other lane.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/types.h"

namespace simtlab::emulator {

struct wide_parameter;

class parameter_copies {
 public:
  /// Another launch begins.
  void forget() { distances_.clear(); }
  /// Where a read of `bytes` at `at` is counted, by a lane whose kernel is called from `frame`; 0 where the read is of
  /// something else, or of what the lane has changed.
  [[nodiscard]] address counted(address at, std::size_t bytes, address frame);

 private:
  std::vector<std::uint64_t> distances_;  // of each parameter; 0: not found, for the kernel has changed it
};

}  // namespace simtlab::emulator
