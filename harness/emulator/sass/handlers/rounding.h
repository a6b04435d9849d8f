// One floating-point operation in a direction of rounding other than to nearest.
#pragma once

#include <cfenv>

#include "sass/instruction.h"

namespace simtlab::emulator::sass {

/// Of .RM, .RP and .RZ; FE_TONEAREST where none stands.
inline int direction_of(const instruction& i) {
  if (i.has("RM"_m)) return FE_DOWNWARD;
  if (i.has("RP"_m)) return FE_UPWARD;
  return i.has("RZ"_m) ? FE_TOWARDZERO : FE_TONEAREST;
}

/// While it lives, arithmetic rounds in that direction. The compiler must not know operands: read them through `opaque`.
class rounding {
 public:
  explicit rounding(int direction) : old_(std::fegetround()) { std::fesetround(direction); }
  ~rounding() { std::fesetround(old_); }
  rounding(const rounding&) = delete;
  rounding& operator=(const rounding&) = delete;

 private:
  int old_;
};

template <class T>
[[gnu::always_inline]] inline T opaque(T value) {
  volatile T hidden = value;
  return hidden;
}

}  // namespace simtlab::emulator::sass
