// Inline PTX with .ftz where results lie at the least normal number, bit by bit, as hashes: whether a GPU rounds before it flushes.
#include "hashed_values.h"

#define OF_FLOATS(name, text)                                                                                  \
  struct call_##name {                                                                                         \
    static __device__ float of(word a, word b, word c) {                                                       \
      float r;                                                                                                 \
      asm(text : "=f"(r) : "f"(__uint_as_float((unsigned int)a)), "f"(__uint_as_float((unsigned int)b)),       \
          "f"(__uint_as_float((unsigned int)c)));                                                              \
      return r;                                                                                                \
    }                                                                                                          \
  };
#define OF_HALVES(name, text)                                                                                  \
  struct call_##name {                                                                                         \
    static __device__ unsigned short of(word a, word b, word c) {                                              \
      unsigned short r;                                                                                        \
      asm(text : "=h"(r) : "h"((unsigned short)(a >> 32)), "h"((unsigned short)(b >> 32)),                     \
          "h"((unsigned short)(c >> 32)));                                                                     \
      return r;                                                                                                \
    }                                                                                                          \
  };
OF_FLOATS(multiplied, "mul.ftz.f32 %0, %1, %2;")
OF_FLOATS(fused, "fma.rn.ftz.f32 %0, %1, %2, %3;")
OF_FLOATS(saturated, "mul.ftz.sat.f32 %0, %1, %2;")
OF_FLOATS(towards_zero, "mul.rz.ftz.f32 %0, %1, %2;")
OF_FLOATS(upwards, "mul.rp.ftz.f32 %0, %1, %2;")
OF_FLOATS(fused_upwards, "fma.rp.ftz.f32 %0, %1, %2, %3;")
OF_HALVES(halves_multiplied, "mul.ftz.f16 %0, %1, %2;")
OF_HALVES(halves_fused, "fma.rn.ftz.f16 %0, %1, %2, %3;")
OF_HALVES(halves_relu, "fma.rn.ftz.relu.f16 %0, %1, %2, %3;")
OF_HALVES(halves_saturated, "mul.ftz.sat.f16 %0, %1, %2;")

// Of an element: a and b, whose product lies within a few steps of the least normal number, and c, which is zero; or the product
// lies at twice that, and c takes the least normal number away. The float is the low half of a word, the half the upper one.
static int part = 0;
static double aOfFloat, aOfHalf;
static bool takesAway;
static word near(word random) {
  const int which = part++ % 3, off = (int)(random & 7) - 3;
  const word fraction = random >> 10 & 0x7fffff, halfFraction = random >> 35 & 0x3ff, sign = random >> 33 & 1;
  if (which == 0) {
    aOfFloat = (1 + (double)fraction / 8388608) / 9223372036854775808.0;  // at 2^-63, and 2^-7
    aOfHalf = (1 + (double)halfFraction / 1024) / 128;
    return ((8ull << 10) | halfFraction) << 32 | 64ull << 23 | fraction;
  }
  if (which == 1) {
    takesAway = (random >> 34 & 1) != 0;
    const double least = 1.0 / 9223372036854775808.0 / 9223372036854775808.0;
    const float b = (float)((takesAway ? 2 : 1) * least / aOfFloat);
    const double ofHalf = (takesAway ? 2 : 1) / 16384.0 / aOfHalf;  // from 2^-8 up, or 2^-7
    unsigned int bits;
    memcpy(&bits, &b, sizeof bits);
    const double scale = takesAway ? 128 : 256;
    const word halfBits = ((takesAway ? 8ull : 7ull) << 10) + (word)((ofHalf * scale - 1) * 1024 + 0.5);
    return (sign << 15 | (halfBits + off)) << 32 | sign << 31 | (bits + off);
  }
  if (!takesAway) return 0;
  return (0x8400ull + (random >> 8 & 3)) << 32 | (0x80800000ull + (random >> 8 & 3));
}

int main(int argc, char **argv) {
  const char *wanted = argc > 1 ? argv[1] : "";
  makeInputs(near);
  report("mul.ftz.f32", wanted, callAll<call_multiplied>);
  report("fma.rn.ftz.f32", wanted, callAll<call_fused>);
  report("mul.ftz.sat.f32", wanted, callAll<call_saturated>);
  report("mul.rz.ftz.f32", wanted, callAll<call_towards_zero>);
  report("mul.rp.ftz.f32", wanted, callAll<call_upwards>);
  report("fma.rp.ftz.f32", wanted, callAll<call_fused_upwards>);
  report("mul.ftz.f16", wanted, callAll<call_halves_multiplied>);
  report("fma.rn.ftz.f16", wanted, callAll<call_halves_fused>);
  report("fma.rn.ftz.relu.f16", wanted, callAll<call_halves_relu>);
  report("mul.ftz.sat.f16", wanted, callAll<call_halves_saturated>);
  freeInputs();
  return 0;
}
