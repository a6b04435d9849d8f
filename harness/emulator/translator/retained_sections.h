// The flag `R` of a section, which g++ writes for `__attribute__((retain))` of host_defines.h: its variables are the device's.
#pragma once

#include <string_view>

namespace simtlab::emulator {

/// Whether `operands` of a `.section` have the flag.
inline bool is_retained(std::string_view operands) {
  const std::size_t open = operands.find('"'), close = operands.find('"', open + 1);
  if (close == std::string_view::npos) return false;
  return operands.substr(open, close - open).find('R') != std::string_view::npos;
}

/// Of `__shared__` variables: `.tbss._ZZ1kvE1s,"awTR",@nobits`. A shared variable is thread-local for g++, as `thread_local` of the
/// host's code is.
inline bool is_section_of_shared_memory(std::string_view operands) {
  return (operands.starts_with(".tbss") || operands.starts_with(".tdata")) && is_retained(operands);
}

/// Of device variables of templates and functions, whose own section g++ leaves out or refuses beside another:
/// `.data._ZZ1fILi1EEvE1n,"awGR",@progbits,…`
inline bool is_section_of_device_memory(std::string_view operands) {
  return (operands.starts_with(".data") || operands.starts_with(".bss")) && is_retained(operands);
}

}  // namespace simtlab::emulator
