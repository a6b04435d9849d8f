// The value of a fetch: its texels, weighted and added up.
//
// The guide says what is added; in how many bits is as an H100 answers (docs/internals/textures.md). Floats are added up exactly
// and rounded once, a half away from zero. Halves lose before that what lies below 2^-14 of the largest one's power of two.
// Normalised whole numbers are added up in 16 bits, whatever they are stored in.
#pragma once

#include <array>
#include <cstdint>

#include "runtime/texture.h"

namespace simtlab::emulator {

/// The channels' bits: floats, or whole numbers widened to 32 bits; 0 for channels that are not there. Reads the memory.
[[nodiscard]] std::array<std::uint32_t, 4> value_of(const texture&, const texel_sample&);

}  // namespace simtlab::emulator
