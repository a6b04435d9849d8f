// Where the launch that runs keeps its kernel's arguments. Every thread gets a copy of its own before the kernel begins; on a
// GPU the parameters are there, so that copying them is no access of the program's.
#pragma once

#include <cstddef>

#include "core/types.h"

namespace simtlab::emulator {

struct parameter_memory {
  address begin = 0;
  std::size_t bytes = 0;
  [[nodiscard]] bool contains(const void* from, std::size_t count) const {
    const address offset = reinterpret_cast<address>(from) - begin;
    return offset < bytes && count <= bytes - offset;
  }
};
/// Of the one launch that runs at a time; set before its threads begin.
extern parameter_memory the_parameters;

}  // namespace simtlab::emulator
