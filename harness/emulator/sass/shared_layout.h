// Where ptxas puts a kernel's `__shared__` variables. A cubin says how many bytes they take together and not where each lies; but
// with -lineinfo it carries the PTX along, which declares them, and ptxas lays them out in that order, each at the next multiple of
// its alignment, dynamic shared memory behind them (found by experiment: sm_75 to sm_90, CUDA 13.0). A layout that does not come to
// the cubin's bytes is none.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace simtlab::emulator::sass {

struct shared_variable {
  std::string name;  ///< mangled: `_ZZ6kernelPfE4tile`
  std::uint64_t begin = 0, bytes = 0;
};

struct shared_layout {
  std::vector<shared_variable> variables;  ///< by their begin; empty where the layout is not known
  std::string dynamic;                     ///< the name of the array without a size; empty: none is used

  /// Of the kernel `kernel` (mangled) in `ptx`, whose lines end with a newline or a zero, from `begin` to `end`.
  static shared_layout of(std::string_view ptx, std::string_view kernel, std::uint64_t begin, std::uint64_t end);
};

}  // namespace simtlab::emulator::sass
