// Memory that no program can write to: what a compiler makes of constants, and tables of virtual functions.
#pragma once

#include <cstddef>

#include "core/types.h"

namespace simtlab::emulator {

/// Whether [where, where + bytes) lies in a read-only part of the program or of a library that it was linked with.
[[nodiscard]] bool is_constant(address where, std::size_t bytes);

}  // namespace simtlab::emulator
