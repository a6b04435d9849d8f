// Where a repeated request may begin so that it costs the same: the rule of `warp_request::repeats` (observers/observer.h).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "core/types.h"

namespace simtlab::emulator {

/// What a request's cost depends on besides the distances between its lanes: sectors and lines on the place in a line;
/// wavefronts on nothing but the alignment, because shifting all lanes by whole words only rotates the banks.
inline std::uint64_t phase_mask(memory_space space, std::uint32_t width) {
  if (space != memory_space::shared) return 127;
  return std::bit_ceil(std::clamp<std::uint32_t>(width, 4, 128)) - 1;
}

}  // namespace simtlab::emulator
