// Where a source chooses by __CUDA_ARCH__ and host code is concerned: the emulator compiles host and device code in one pass, in
// which __CUDA_ARCH__ is defined, so that the host takes the device's branch.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace simtlab::emulator {

struct arch_branch {
  int line = 0;
  std::string message;
};

/// `source` is a file as its author wrote it. In the order of its lines; macros that are only device code's are not told.
[[nodiscard]] std::vector<arch_branch> arch_branches(std::string_view source);

}  // namespace simtlab::emulator
