// Where a source chooses by __CUDA_ARCH__ and host code is concerned: the emulator compiles host and device code in one pass, in
// which __CUDA_ARCH__ is defined, so that the host takes the device's branch.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace simtlab::emulator {

struct arch_branch {
  int line = 0;
  std::string message;
};

struct arch_choices {
  std::vector<arch_branch>
      met_by_host;  ///< in the order of the lines; macros that are only device code's are not among them
  /// Lines outside device functions that stand in such a branch or use a macro defined in one. Host code of these lines is not
  /// what nvcc compiles for the host.
  std::set<int> lines;
};

/// `source` is a file as its author wrote it.
[[nodiscard]] arch_choices arch_branches(std::string_view source);

}  // namespace simtlab::emulator
