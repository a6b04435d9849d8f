// The integer intrinsics on two halves or four bytes of a word, as a GPU's video instructions: `__vadd2`, `__vcmpgtu4`. Each lane
// is widened, computed and narrowed as part of a vector, so that an intrinsic stays straight-line code.
#pragma once       // IWYU pragma: private, include <cuda_runtime.h>
#ifndef __clang__  // ../device_functions.h
#pragma GCC system_header
#endif

#include "../host_defines.h"

#define SIMTLAB_VIDEO __device__ inline __attribute__((always_inline, artificial))

namespace simtlab::video {

template <class T>
struct vectors {
  typedef T packed __attribute__((vector_size(4)));
  typedef int wide __attribute__((vector_size(16 / sizeof(T))));
  static constexpr int low = T(-1) < T(0) ? -(1 << (8 * sizeof(T) - 1)) : 0;
  static constexpr int high = low + (1 << 8 * sizeof(T)) - 1;
};
template <class T>
using wide = typename vectors<T>::wide;

template <class T>
SIMTLAB_VIDEO wide<T> widened(unsigned x) {
  return __builtin_convertvector(__builtin_bit_cast(typename vectors<T>::packed, x), wide<T>);
}
/// The low bits of each lane.
template <class T>
SIMTLAB_VIDEO unsigned narrowed(wide<T> x) {
  return __builtin_bit_cast(unsigned, __builtin_convertvector(x, typename vectors<T>::packed));
}
template <class T>
SIMTLAB_VIDEO wide<T> clamped(wide<T> x) {
  const wide<T> low = wide<T>{} + vectors<T>::low, high = wide<T>{} + vectors<T>::high;
  x = x < low ? low : x;
  return x > high ? high : x;
}
template <class Vector>
SIMTLAB_VIDEO Vector size_of(Vector x) {
  return x < 0 ? -x : x;
}
/// Half of a sum, rounded to the nearest number, and from the middle away from 0.
template <class Vector>
SIMTLAB_VIDEO Vector half_of(Vector sum) {
  return (sum + 1 + (sum < 0)) >> 1;
}
template <class T>
SIMTLAB_VIDEO unsigned sum_of(wide<T> x) {
  if constexpr (sizeof(T) == 1)
    return static_cast<unsigned>(x[0] + x[1] + x[2] + x[3]);
  else
    return static_cast<unsigned>(x[0] + x[1]);
}

}  // namespace simtlab::video

// `a` and `b`: the lanes of the operands, of the type that the name's last letter says.
// NOLINTBEGIN(bugprone-macro-parentheses): `kind` is half of a type's name
#define SIMTLAB_OF_ONE(name, kind, result)           \
  SIMTLAB_VIDEO unsigned name##2(unsigned x) {       \
    using lane = kind short;                         \
    const auto a = simtlab::video::widened<lane>(x); \
    return result;                                   \
  }                                                  \
  SIMTLAB_VIDEO unsigned name##4(unsigned x) {       \
    using lane = kind char;                          \
    const auto a = simtlab::video::widened<lane>(x); \
    return result;                                   \
  }
#define SIMTLAB_OF_TWO(name, kind, result)                                                 \
  SIMTLAB_VIDEO unsigned name##2(unsigned x, unsigned y) {                                 \
    using lane = kind short;                                                               \
    const auto a = simtlab::video::widened<lane>(x), b = simtlab::video::widened<lane>(y); \
    return result;                                                                         \
  }                                                                                        \
  SIMTLAB_VIDEO unsigned name##4(unsigned x, unsigned y) {                                 \
    using lane = kind char;                                                                \
    const auto a = simtlab::video::widened<lane>(x), b = simtlab::video::widened<lane>(y); \
    return result;                                                                         \
  }
#define SIMTLAB_COMPARED(comparison, kind, operation)                                     \
  SIMTLAB_OF_TWO(__vcmp##comparison, kind, simtlab::video::narrowed<lane>(a operation b)) \
  SIMTLAB_OF_TWO(__vset##comparison, kind, simtlab::video::narrowed<lane>((a operation b)&1))
// NOLINTEND(bugprone-macro-parentheses)

SIMTLAB_OF_ONE(__vabs, signed, simtlab::video::narrowed<lane>(simtlab::video::size_of(a)))
SIMTLAB_OF_ONE(__vabsss, signed,
               simtlab::video::narrowed<lane>(simtlab::video::clamped<lane>(simtlab::video::size_of(a))))
SIMTLAB_OF_ONE(__vneg, signed, simtlab::video::narrowed<lane>(-a))
SIMTLAB_OF_ONE(__vnegss, signed, simtlab::video::narrowed<lane>(simtlab::video::clamped<lane>(-a)))
SIMTLAB_OF_TWO(__vadd, unsigned, simtlab::video::narrowed<lane>(a + b))
SIMTLAB_OF_TWO(__vaddss, signed, simtlab::video::narrowed<lane>(simtlab::video::clamped<lane>(a + b)))
SIMTLAB_OF_TWO(__vaddus, unsigned, simtlab::video::narrowed<lane>(simtlab::video::clamped<lane>(a + b)))
SIMTLAB_OF_TWO(__vsub, unsigned, simtlab::video::narrowed<lane>(a - b))
SIMTLAB_OF_TWO(__vsubss, signed, simtlab::video::narrowed<lane>(simtlab::video::clamped<lane>(a - b)))
SIMTLAB_OF_TWO(__vsubus, unsigned, simtlab::video::narrowed<lane>(simtlab::video::clamped<lane>(a - b)))
SIMTLAB_OF_TWO(__vavgs, signed, simtlab::video::narrowed<lane>(simtlab::video::half_of(a + b)))
SIMTLAB_OF_TWO(__vavgu, unsigned, simtlab::video::narrowed<lane>(simtlab::video::half_of(a + b)))
SIMTLAB_OF_TWO(__vhaddu, unsigned, simtlab::video::narrowed<lane>((a + b) >> 1))
SIMTLAB_OF_TWO(__vabsdiffs, signed, simtlab::video::narrowed<lane>(simtlab::video::size_of(a - b)))
SIMTLAB_OF_TWO(__vabsdiffu, unsigned, simtlab::video::narrowed<lane>(simtlab::video::size_of(a - b)))
SIMTLAB_OF_TWO(__vsads, signed, simtlab::video::sum_of<lane>(simtlab::video::size_of(a - b)))
SIMTLAB_OF_TWO(__vsadu, unsigned, simtlab::video::sum_of<lane>(simtlab::video::size_of(a - b)))
SIMTLAB_OF_TWO(__vmaxs, signed, simtlab::video::narrowed<lane>(a > b ? a : b))
SIMTLAB_OF_TWO(__vmaxu, unsigned, simtlab::video::narrowed<lane>(a > b ? a : b))
SIMTLAB_OF_TWO(__vmins, signed, simtlab::video::narrowed<lane>(a < b ? a : b))
SIMTLAB_OF_TWO(__vminu, unsigned, simtlab::video::narrowed<lane>(a < b ? a : b))
SIMTLAB_COMPARED(eq, unsigned, ==)
SIMTLAB_COMPARED(ne, unsigned, !=)
SIMTLAB_COMPARED(gts, signed, >)
SIMTLAB_COMPARED(gtu, unsigned, >)
SIMTLAB_COMPARED(ges, signed, >=)
SIMTLAB_COMPARED(geu, unsigned, >=)
SIMTLAB_COMPARED(lts, signed, <)
SIMTLAB_COMPARED(ltu, unsigned, <)
SIMTLAB_COMPARED(les, signed, <=)
SIMTLAB_COMPARED(leu, unsigned, <=)

#undef SIMTLAB_COMPARED
#undef SIMTLAB_OF_TWO
#undef SIMTLAB_OF_ONE
#undef SIMTLAB_VIDEO
