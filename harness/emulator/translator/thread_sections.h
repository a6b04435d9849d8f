#pragma once

#include <string_view>

namespace simtlab::emulator {

/// Whether the operands of a `.section` are those of a `__shared__` variable: `.tbss._ZZ1kvE1s,"awTR",@nobits`.
///
/// A shared variable is thread-local for g++, as `thread_local` of the host's code is; the flag `R`, which g++ writes for
/// `__attribute__((retain))` of host_defines.h, tells the two apart.
inline bool is_section_of_shared_memory(std::string_view operands) {
  if (!operands.starts_with(".tbss") && !operands.starts_with(".tdata")) return false;
  const std::size_t open = operands.find('"'), close = operands.find('"', open + 1);
  if (close == std::string_view::npos) return false;
  return operands.substr(open, close - open).find('R') != std::string_view::npos;
}

}  // namespace simtlab::emulator
