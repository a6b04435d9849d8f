// DPX, the integer functions of dynamic programming: a sum before a maximum or a minimum, three operands, a floor at 0 (`relu`),
// and which operand was taken (`vib`). Sums wrap. CUDA Math API, "SIMD Intrinsics" and "Integer Intrinsics"; an H200's values:
// tests/programs/dpx.cu.
#pragma once       // IWYU pragma: private, include <cuda_runtime.h>
#ifndef __clang__  // ../device_functions.h
#pragma GCC system_header
#endif

#include "../host_defines.h"

#define SIMTLAB_DPX __host__ __device__ inline __attribute__((always_inline, artificial))

namespace simtlab::dpx {

template <class T>
SIMTLAB_DPX T sum(T a, T b) {
  return static_cast<T>(static_cast<unsigned>(a) + static_cast<unsigned>(b));
}
template <class T>
SIMTLAB_DPX T larger(T a, T b) {
  return a >= b ? a : b;
}
template <class T>
SIMTLAB_DPX T smaller(T a, T b) {
  return a <= b ? a : b;
}
template <class T>
SIMTLAB_DPX T at_least_0(T a) {
  return larger<T>(a, 0);
}
/// Half `which` of a word; the low one is 0.
template <class T>
SIMTLAB_DPX T half(unsigned word, int which) {
  return static_cast<T>(word >> 16 * which);
}
template <class T>
SIMTLAB_DPX unsigned word(T low, T high) {
  return static_cast<unsigned short>(low) | static_cast<unsigned>(static_cast<unsigned short>(high)) << 16;
}

}  // namespace simtlab::dpx

// NOLINTBEGIN(bugprone-macro-parentheses): names of types and functions
// `name` with a signed number of 32 bits, and with two of 16: `result` is of a, b and c.
#define SIMTLAB_DPX_OF_3(name, kind, ending, number, half_number, result)                \
  SIMTLAB_DPX number name##_##kind##32##ending(number x, number y, number z) {           \
    using namespace simtlab::dpx;                                                        \
    using of_type = number;                                                              \
    const auto of = [](of_type a, of_type b, of_type c) -> of_type { return result; };   \
    return of(x, y, z);                                                                  \
  }                                                                                      \
  SIMTLAB_DPX unsigned name##_##kind##16x2##ending(unsigned x, unsigned y, unsigned z) { \
    using namespace simtlab::dpx;                                                        \
    using of_type = half_number;                                                         \
    const auto of = [](of_type a, of_type b, of_type c) -> of_type { return result; };   \
    return word(of(half<of_type>(x, 0), half<of_type>(y, 0), half<of_type>(z, 0)),       \
                of(half<of_type>(x, 1), half<of_type>(y, 1), half<of_type>(z, 1)));      \
  }
#define SIMTLAB_DPX_EACH_OF_3(name, result)                     \
  SIMTLAB_DPX_OF_3(name, s, , int, short, result)               \
  SIMTLAB_DPX_OF_3(name, u, , unsigned, unsigned short, result) \
  SIMTLAB_DPX_OF_3(name, s, _relu, int, short, at_least_0<of_type>(result))
#define SIMTLAB_DPX_RELU_OF_2(name, result)                                                          \
  SIMTLAB_DPX int name##_s32_relu(int a, int b) {                                                    \
    using namespace simtlab::dpx;                                                                    \
    using of_type = int;                                                                             \
    return at_least_0(result);                                                                       \
  }                                                                                                  \
  SIMTLAB_DPX unsigned name##_s16x2_relu(unsigned x, unsigned y) {                                   \
    using namespace simtlab::dpx;                                                                    \
    using of_type = short;                                                                           \
    const auto of = [](short a, short b) -> short { return at_least_0<short>(result); };             \
    return word(of(half<short>(x, 0), half<short>(y, 0)), of(half<short>(x, 1), half<short>(y, 1))); \
  }
/// `is_first`: of each number, or of the high and the low half, whether it is the first operand's.
#define SIMTLAB_DPX_CHOSEN(name, kind, number, half_number, comparison)                                       \
  SIMTLAB_DPX number name##_##kind##32(number a, number b, bool* is_first) {                                  \
    *is_first = a comparison b;                                                                               \
    return *is_first ? a : b;                                                                                 \
  }                                                                                                           \
  SIMTLAB_DPX unsigned name##_##kind##16x2(unsigned a, unsigned b, bool* high_is_first, bool* low_is_first) { \
    using namespace simtlab::dpx;                                                                             \
    *high_is_first = half<half_number>(a, 1) comparison half<half_number>(b, 1);                              \
    *low_is_first = half<half_number>(a, 0) comparison half<half_number>(b, 0);                               \
    return word(half<half_number>(*low_is_first ? a : b, 0), half<half_number>(*high_is_first ? a : b, 1));   \
  }
// NOLINTEND(bugprone-macro-parentheses)

SIMTLAB_DPX_EACH_OF_3(__viaddmax, larger<of_type>(sum<of_type>(a, b), c))
SIMTLAB_DPX_EACH_OF_3(__viaddmin, smaller<of_type>(sum<of_type>(a, b), c))
SIMTLAB_DPX_EACH_OF_3(__vimax3, larger(larger(a, b), c))
SIMTLAB_DPX_EACH_OF_3(__vimin3, smaller(smaller(a, b), c))
SIMTLAB_DPX_RELU_OF_2(__vimax, larger<of_type>(a, b))
SIMTLAB_DPX_RELU_OF_2(__vimin, smaller<of_type>(a, b))
SIMTLAB_DPX_CHOSEN(__vibmax, s, int, short, >=)
SIMTLAB_DPX_CHOSEN(__vibmax, u, unsigned, unsigned short, >=)
SIMTLAB_DPX_CHOSEN(__vibmin, s, int, short, <=)
SIMTLAB_DPX_CHOSEN(__vibmin, u, unsigned, unsigned short, <=)

#undef SIMTLAB_DPX_CHOSEN
#undef SIMTLAB_DPX_RELU_OF_2
#undef SIMTLAB_DPX_EACH_OF_3
#undef SIMTLAB_DPX_OF_3
#undef SIMTLAB_DPX
