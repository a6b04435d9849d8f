// The types that a texture fetch can return, and how they come from the four words of 32 bits that the emulator answers with.
#pragma once  // IWYU pragma: private, include <cuda_runtime.h>
#pragma GCC system_header

#include <stdint.h>

#include "../vector_types.h"
#include "emulator_entry.h"

namespace simtlab {

template <class Component>
struct texel_component {
  using component = Component;
  /// As cudaChannelFormatKind: 0 signed, 1 unsigned, 2 float.
  static constexpr int kind = static_cast<Component>(0.5f) != 0 ? 2 : static_cast<Component>(-1) < 0 ? 0 : 1;
  __attribute__((always_inline)) static Component from(uint64_t bits) {
    if constexpr (kind == 2)
      return __builtin_bit_cast(float, static_cast<uint32_t>(bits));
    else
      return static_cast<Component>(bits);
  }
};

/// Without a definition for types that no fetch returns (vectors of three, 8-byte numbers).
template <class T>
struct texel;

#define SIMTLAB_TEXEL(type, of, count, ...)                                                    \
  template <>                                                                                  \
  struct texel<type> : texel_component<of> {                                                   \
    static constexpr int channels = count;                                                     \
    static constexpr unsigned code = kind | 8 * sizeof(of) << 2 | count << 8;                  \
    __attribute__((always_inline)) static type make(simtlab_texel t) { return {__VA_ARGS__}; } \
  };
#define SIMTLAB_TEXELS(name, of)                                \
  SIMTLAB_TEXEL(name##1, of, 1, from(t.low))                    \
  SIMTLAB_TEXEL(name##2, of, 2, from(t.low), from(t.low >> 32)) \
  SIMTLAB_TEXEL(name##4, of, 4, from(t.low), from(t.low >> 32), from(t.high), from(t.high >> 32))

SIMTLAB_TEXEL(char, char, 1, from(t.low))
SIMTLAB_TEXEL(signed char, signed char, 1, from(t.low))
SIMTLAB_TEXEL(unsigned char, unsigned char, 1, from(t.low))
SIMTLAB_TEXEL(short, short, 1, from(t.low))
SIMTLAB_TEXEL(unsigned short, unsigned short, 1, from(t.low))
SIMTLAB_TEXEL(int, int, 1, from(t.low))
SIMTLAB_TEXEL(unsigned int, unsigned int, 1, from(t.low))
SIMTLAB_TEXEL(float, float, 1, from(t.low))
SIMTLAB_TEXELS(char, signed char)
SIMTLAB_TEXELS(uchar, unsigned char)
SIMTLAB_TEXELS(short, short)
SIMTLAB_TEXELS(ushort, unsigned short)
SIMTLAB_TEXELS(int, int)
SIMTLAB_TEXELS(uint, unsigned int)
SIMTLAB_TEXELS(float, float)
#undef SIMTLAB_TEXELS
#undef SIMTLAB_TEXEL

}  // namespace simtlab
