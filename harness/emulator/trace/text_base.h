// Sites are offsets from the load address of the program, so that they fit 32 bits and mean the same in every run.
#pragma once

#include <cstdint>

#include "core/types.h"

namespace simtlab::emulator {

/// Load address of the executable; set before the first kernel runs.
extern std::uint64_t text_base;

inline site site_at(const void* return_address) {
  return static_cast<site>(reinterpret_cast<std::uint64_t>(return_address) - text_base);
}

}  // namespace simtlab::emulator
