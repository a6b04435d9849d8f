// The format of a texel: what cudaChannelFormatDesc says, checked.
#pragma once

#include <cstdint>
#include <optional>

#include "include/driver_types.h"

namespace simtlab::emulator {

enum class texel_kind : std::uint8_t { signed_integer, unsigned_integer, floating };  // as cudaChannelFormatKind

struct texel_format {
  texel_kind kind = texel_kind::floating;
  unsigned bits = 0;      ///< of a channel
  unsigned channels = 0;  ///< 1, 2 or 4

  [[nodiscard]] unsigned bytes() const { return bits / 8 * channels; }

  /// Nothing for a format that no texture has. Rule: 1, 2 or 4 channels, the first ones, of equal 8, 16 or 32 bits; 16 or 32 of
  /// a float (CUDA Runtime API, cudaMallocArray; CUDA C++ Programming Guide, "Texture Object API").
  static std::optional<texel_format> from(const cudaChannelFormatDesc& d) {
    const bool whole = d.f == cudaChannelFormatKindSigned || d.f == cudaChannelFormatKindUnsigned;
    if (!whole && d.f != cudaChannelFormatKindFloat) return {};
    if (d.x != 16 && d.x != 32 && !(whole && d.x == 8)) return {};
    const unsigned channels = d.y == 0 ? 1 : d.z == 0 ? 2 : 4;
    const bool equal = (channels < 2 || d.y == d.x) && (channels < 4 || (d.z == d.x && d.w == d.x));
    const bool rest = (channels > 1 || (d.z == 0 && d.w == 0)) && (channels > 2 || d.w == 0);
    if (!equal || !rest) return {};
    return texel_format{static_cast<texel_kind>(d.f), static_cast<unsigned>(d.x), channels};
  }
};

}  // namespace simtlab::emulator
