// Floats of 8 bits (E5M2, E4M3) and powers of two (E8M0) in software: storage and conversions; numbers are computed in another type.
#pragma once
#ifndef __clang__  // whose completion hides names like __shfl_sync of system headers
#pragma GCC system_header
#endif
#define __CUDA_FP8_H__  // the toolkit's guard, for headers that look for it
#define __CUDA_FP8_TYPES_EXIST__

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "device_types.h"
#include "host_defines.h"
#include "simtlab/small_formats.h"
#include "vector_types.h"
#ifdef SIMTLAB_FRONT_END
#pragma clang force_cuda_host_device begin
#endif

#define SIMTLAB_FP8 inline __attribute__((always_inline, artificial))

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short int __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
/// What becomes of numbers that are too large: an infinity (E4M3: a NaN), or the largest number.
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

namespace simtlab {

template <class Format>
SIMTLAB_FP8 unsigned fp8_bits(double x, __nv_saturation_t saturation) {
  const unsigned bits = Format::bits(x), magnitude = bits & Format::nan;
  const bool too_large = magnitude >= Format::infinity && !(x != x);
  return too_large && saturation == __NV_SATFINITE ? (bits & Format::sign_bit) | (Format::infinity - 1u) : bits;
}
SIMTLAB_FP8 __nv_fp8_storage_t fp8(double x, __nv_saturation_t saturation, __nv_fp8_interpretation_t kind) {
  return static_cast<__nv_fp8_storage_t>(kind == __NV_E4M3 ? fp8_bits<e4m3_format>(x, saturation)
                                                           : fp8_bits<e5m2_format>(x, saturation));
}
template <class Pair, class Storage>
SIMTLAB_FP8 Pair joined(Storage low, Storage high) {
  return static_cast<Pair>(low | high << 8 * sizeof(Storage));
}
/// The exponent's byte of a bfloat16: 0xff is the only NaN, and infinities are 2^127 where they saturate.
SIMTLAB_FP8 __nv_fp8_storage_t e8m0(unsigned bfloat, __nv_saturation_t saturation, cudaRoundMode rounding) {
  const unsigned magnitude = bfloat & 0x7fff, exponent = magnitude >> 7, fraction = magnitude & 0x7f;
  if (magnitude > bfloat_format::infinity) return 0xff;
  if (magnitude == bfloat_format::infinity) return saturation == __NV_SATFINITE ? 0xfe : 0xff;
  // 2^-127 stands for what has no exponent.
  const bool up = rounding == cudaRoundPosInf && (exponent == 0 ? fraction > 0x40 : fraction != 0);
  return static_cast<__nv_fp8_storage_t>(up && (exponent < 0xfe || saturation == __NV_NOSAT) ? exponent + 1 : exponent);
}
SIMTLAB_FP8 unsigned bfloat_towards(double x, cudaRoundMode rounding) {
  return bfloat_format::bits(fabs(x), rounding == cudaRoundPosInf ? simtlab_round_up : simtlab_round_to_zero);
}

}  // namespace simtlab

// Conversions
/// A NaN keeps its sign, and in E5M2 the upper bits of its fraction.
SIMTLAB_FP8 __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t saturate,
                                                      __nv_fp8_interpretation_t fp8_interpretation) {
  const auto bits = __builtin_bit_cast(unsigned long long, x);
  const auto fp8 = simtlab::fp8(x, saturate, fp8_interpretation);
  if (x == x) return fp8;
  const unsigned quiet = fp8_interpretation == __NV_E4M3 ? 0x7fu : 0x7eu | static_cast<unsigned>(bits >> 50 & 3);
  return static_cast<__nv_fp8_storage_t>(static_cast<unsigned>(bits >> 63) << 7 | quiet);
}
SIMTLAB_FP8 __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturate,
                                                     __nv_fp8_interpretation_t fp8_interpretation) {
  return simtlab::fp8(static_cast<double>(x), saturate, fp8_interpretation);
}
SIMTLAB_FP8 __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t saturate,
                                                       __nv_fp8_interpretation_t fp8_interpretation) {
  return __nv_cvt_float_to_fp8(__half(x), saturate, fp8_interpretation);
}
SIMTLAB_FP8 __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x, __nv_saturation_t saturate,
                                                           __nv_fp8_interpretation_t fp8_interpretation) {
  return __nv_cvt_float_to_fp8(__nv_bfloat16(x), saturate, fp8_interpretation);
}
// A pair's first number lies in the low byte.
#define SIMTLAB_FP8_PAIR(name, pair, single, part)                                                            \
  SIMTLAB_FP8 __nv_fp8x2_storage_t name(pair x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) { \
    return simtlab::joined<__nv_fp8x2_storage_t>(single(part{x.x}, saturate, kind),                           \
                                                 single(part{x.y}, saturate, kind));                          \
  }
SIMTLAB_FP8_PAIR(__nv_cvt_double2_to_fp8x2, double2, __nv_cvt_double_to_fp8, double)
SIMTLAB_FP8_PAIR(__nv_cvt_float2_to_fp8x2, float2, __nv_cvt_float_to_fp8, float)
SIMTLAB_FP8_PAIR(__nv_cvt_halfraw2_to_fp8x2, __half2_raw, __nv_cvt_halfraw_to_fp8, __half_raw)
SIMTLAB_FP8_PAIR(__nv_cvt_bfloat16raw2_to_fp8x2, __nv_bfloat162_raw, __nv_cvt_bfloat16raw_to_fp8, __nv_bfloat16_raw)
#undef SIMTLAB_FP8_PAIR
SIMTLAB_FP8 __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t fp8_interpretation) {
  return __half_raw{fp8_interpretation == __NV_E4M3 ? simtlab::e4m3_format::half(x) : simtlab::e5m2_format::half(x)};
}
SIMTLAB_FP8 __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x,
                                                   __nv_fp8_interpretation_t fp8_interpretation) {
  const auto low = static_cast<__nv_fp8_storage_t>(x), high = static_cast<__nv_fp8_storage_t>(x >> 8);
  return __half2_raw{__nv_cvt_fp8_to_halfraw(low, fp8_interpretation).x,
                     __nv_cvt_fp8_to_halfraw(high, fp8_interpretation).x};
}

SIMTLAB_FP8 __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_e8m0(__nv_bfloat16_raw x, __nv_saturation_t saturate,
                                                            enum cudaRoundMode rounding) {
  return simtlab::e8m0(x.x, saturate, rounding);
}
SIMTLAB_FP8 __nv_fp8_storage_t __nv_cvt_float_to_e8m0(float x, __nv_saturation_t saturate,
                                                      enum cudaRoundMode rounding) {
  return simtlab::e8m0(simtlab::bfloat_towards(static_cast<double>(x), rounding), saturate, rounding);
}
SIMTLAB_FP8 __nv_fp8_storage_t __nv_cvt_double_to_e8m0(double x, __nv_saturation_t saturate,
                                                       enum cudaRoundMode rounding) {
  return simtlab::e8m0(simtlab::bfloat_towards(x, rounding), saturate, rounding);
}
#define SIMTLAB_E8M0_PAIR(name, pair, single, part)                                                        \
  SIMTLAB_FP8 __nv_fp8x2_storage_t name(pair x, __nv_saturation_t saturate, enum cudaRoundMode rounding) { \
    return simtlab::joined<__nv_fp8x2_storage_t>(single(part{x.x}, saturate, rounding),                    \
                                                 single(part{x.y}, saturate, rounding));                   \
  }
SIMTLAB_E8M0_PAIR(__nv_cvt_bfloat162raw_to_e8m0x2, __nv_bfloat162_raw, __nv_cvt_bfloat16raw_to_e8m0, __nv_bfloat16_raw)
SIMTLAB_E8M0_PAIR(__nv_cvt_float2_to_e8m0x2, float2, __nv_cvt_float_to_e8m0, float)
SIMTLAB_E8M0_PAIR(__nv_cvt_double2_to_e8m0x2, double2, __nv_cvt_double_to_e8m0, double)
#undef SIMTLAB_E8M0_PAIR
SIMTLAB_FP8 __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(__nv_fp8_storage_t x) {
  const unsigned bits = x == 0xff ? 0x7fffu : x == 0 ? 0x40u : static_cast<unsigned>(x) << 7;
  return __nv_bfloat16_raw{static_cast<unsigned short>(bits)};
}
SIMTLAB_FP8 __nv_bfloat162_raw __nv_cvt_e8m0x2_to_bf162raw(__nv_fp8x2_storage_t x) {
  return __nv_bfloat162_raw{__nv_cvt_e8m0_to_bf16raw(static_cast<__nv_fp8_storage_t>(x)).x,
                            __nv_cvt_e8m0_to_bf16raw(static_cast<__nv_fp8_storage_t>(x >> 8)).x};
}

// The types. Constructors saturate, and powers of two are rounded up; conversions to integers are the half's.
// NOLINTBEGIN(bugprone-macro-parentheses): names of types
#define SIMTLAB_FP8_INTEGER(type, integer) \
  explicit SIMTLAB_FP8 type(integer value) : type(static_cast<double>(value)) {}
#define SIMTLAB_FP8_INTEGERS(type)                                                                         \
  SIMTLAB_FP8_INTEGER(type, short)                                                                         \
  SIMTLAB_FP8_INTEGER(type, unsigned short)                                                                \
  SIMTLAB_FP8_INTEGER(type, int)                                                                           \
  SIMTLAB_FP8_INTEGER(type, unsigned int)                                                                  \
  explicit SIMTLAB_FP8 type(long value) : type(simtlab::with_sticky_bit(static_cast<long long>(value))) {} \
  explicit SIMTLAB_FP8 type(unsigned long value)                                                           \
      : type(simtlab::with_sticky_bit(static_cast<unsigned long long>(value))) {}                          \
  explicit SIMTLAB_FP8 type(long long value) : type(simtlab::with_sticky_bit(value)) {}                    \
  explicit SIMTLAB_FP8 type(unsigned long long value) : type(simtlab::with_sticky_bit(value)) {}
#define SIMTLAB_FP8_TO_INTEGERS                                                                           \
  explicit SIMTLAB_FP8 operator signed char() const { return __half2char_rz(__half(*this)); }             \
  explicit SIMTLAB_FP8 operator char() const { return static_cast<char>(__half2char_rz(__half(*this))); } \
  explicit SIMTLAB_FP8 operator unsigned char() const { return __half2uchar_rz(__half(*this)); }          \
  explicit SIMTLAB_FP8 operator short() const { return __half2short_rz(__half(*this)); }                  \
  explicit SIMTLAB_FP8 operator unsigned short() const { return __half2ushort_rz(__half(*this)); }        \
  explicit SIMTLAB_FP8 operator int() const { return __half2int_rz(__half(*this)); }                      \
  explicit SIMTLAB_FP8 operator unsigned int() const { return __half2uint_rz(__half(*this)); }            \
  explicit SIMTLAB_FP8 operator long() const { return __half2ll_rz(__half(*this)); }                      \
  explicit SIMTLAB_FP8 operator unsigned long() const { return __half2ull_rz(__half(*this)); }            \
  explicit SIMTLAB_FP8 operator long long() const { return __half2ll_rz(__half(*this)); }                 \
  explicit SIMTLAB_FP8 operator unsigned long long() const { return __half2ull_rz(__half(*this)); }
#define SIMTLAB_FP8_TYPES(ending, kind)                                                                               \
  struct alignas(1) __nv_fp8_##ending {                                                                               \
    __nv_fp8_storage_t __x;                                                                                           \
    __nv_fp8_##ending() = default;                                                                                    \
    explicit SIMTLAB_FP8 __nv_fp8_##ending(__half f) : __x(__nv_cvt_halfraw_to_fp8(f, __NV_SATFINITE, kind)) {}       \
    explicit SIMTLAB_FP8 __nv_fp8_##ending(__nv_bfloat16 f)                                                           \
        : __x(__nv_cvt_bfloat16raw_to_fp8(f, __NV_SATFINITE, kind)) {}                                                \
    explicit SIMTLAB_FP8 __nv_fp8_##ending(float f) : __x(__nv_cvt_float_to_fp8(f, __NV_SATFINITE, kind)) {}          \
    explicit SIMTLAB_FP8 __nv_fp8_##ending(double f) : __x(__nv_cvt_double_to_fp8(f, __NV_SATFINITE, kind)) {}        \
    SIMTLAB_FP8_INTEGERS(__nv_fp8_##ending)                                                                           \
    explicit SIMTLAB_FP8 operator __half() const { return __nv_cvt_fp8_to_halfraw(__x, kind); }                       \
    explicit SIMTLAB_FP8 operator float() const { return __half(*this); }                                             \
    explicit SIMTLAB_FP8 operator __nv_bfloat16() const { return __nv_bfloat16(float(*this)); }                       \
    explicit SIMTLAB_FP8 operator double() const { return static_cast<double>(float(*this)); }                        \
    SIMTLAB_FP8_TO_INTEGERS                                                                                           \
    explicit SIMTLAB_FP8 operator bool() const { return (__x & 0x7f) != 0; }                                          \
  };                                                                                                                  \
  struct alignas(2) __nv_fp8x2_##ending {                                                                             \
    __nv_fp8x2_storage_t __x;                                                                                         \
    __nv_fp8x2_##ending() = default;                                                                                  \
    explicit SIMTLAB_FP8 __nv_fp8x2_##ending(__half2 f) : __x(__nv_cvt_halfraw2_to_fp8x2(f, __NV_SATFINITE, kind)) {} \
    explicit SIMTLAB_FP8 __nv_fp8x2_##ending(__nv_bfloat162 f)                                                        \
        : __x(__nv_cvt_bfloat16raw2_to_fp8x2(f, __NV_SATFINITE, kind)) {}                                             \
    explicit SIMTLAB_FP8 __nv_fp8x2_##ending(float2 f) : __x(__nv_cvt_float2_to_fp8x2(f, __NV_SATFINITE, kind)) {}    \
    explicit SIMTLAB_FP8 __nv_fp8x2_##ending(double2 f) : __x(__nv_cvt_double2_to_fp8x2(f, __NV_SATFINITE, kind)) {}  \
    explicit SIMTLAB_FP8 operator __half2() const { return __nv_cvt_fp8x2_to_halfraw2(__x, kind); }                   \
    explicit SIMTLAB_FP8 operator float2() const { return __half22float2(__half2(*this)); }                           \
  };                                                                                                                  \
  SIMTLAB_FP8_FOUR(ending)
#define SIMTLAB_FP8_FOUR(ending)                                                                                       \
  struct alignas(4) __nv_fp8x4_##ending {                                                                              \
    __nv_fp8x4_storage_t __x;                                                                                          \
    __nv_fp8x4_##ending() = default;                                                                                   \
    template <class Pair>                                                                                              \
    SIMTLAB_FP8 __nv_fp8x4_##ending(Pair low, Pair high, int)                                                          \
        : __x(simtlab::joined<__nv_fp8x4_storage_t>(__nv_fp8x2_##ending(low).__x, __nv_fp8x2_##ending(high).__x)) {}   \
    explicit SIMTLAB_FP8 __nv_fp8x4_##ending(__half2 low, __half2 high) : __nv_fp8x4_##ending(low, high, 0) {}         \
    explicit SIMTLAB_FP8 __nv_fp8x4_##ending(__nv_bfloat162 low, __nv_bfloat162 high)                                  \
        : __nv_fp8x4_##ending(low, high, 0) {}                                                                         \
    explicit SIMTLAB_FP8 __nv_fp8x4_##ending(float4 f) : __nv_fp8x4_##ending(float2{f.x, f.y}, float2{f.z, f.w}, 0) {} \
    explicit SIMTLAB_FP8 __nv_fp8x4_##ending(double4 f)                                                                \
        : __nv_fp8x4_##ending(double2{f.x, f.y}, double2{f.z, f.w}, 0) {}                                              \
    explicit SIMTLAB_FP8 __nv_fp8x4_##ending(double4_16a f)                                                            \
        : __nv_fp8x4_##ending(double2{f.x, f.y}, double2{f.z, f.w}, 0) {}                                              \
    explicit SIMTLAB_FP8 __nv_fp8x4_##ending(double4_32a f)                                                            \
        : __nv_fp8x4_##ending(double2{f.x, f.y}, double2{f.z, f.w}, 0) {}                                              \
    explicit SIMTLAB_FP8 operator float4() const {                                                                     \
      __nv_fp8x2_##ending low, high;                                                                                   \
      low.__x = static_cast<__nv_fp8x2_storage_t>(__x);                                                                \
      high.__x = static_cast<__nv_fp8x2_storage_t>(__x >> 16);                                                         \
      const float2 first(low), second(high);                                                                           \
      return float4{first.x, first.y, second.x, second.y};                                                             \
    }                                                                                                                  \
  };
SIMTLAB_FP8_TYPES(e5m2, __NV_E5M2)
SIMTLAB_FP8_TYPES(e4m3, __NV_E4M3)

struct alignas(1) __nv_fp8_e8m0 {
  __nv_fp8_storage_t __x;
  __nv_fp8_e8m0() = default;
  explicit SIMTLAB_FP8 __nv_fp8_e8m0(__half f) : __nv_fp8_e8m0(static_cast<float>(f)) {}
  explicit SIMTLAB_FP8 __nv_fp8_e8m0(__nv_bfloat16 f)
      : __x(__nv_cvt_bfloat16raw_to_e8m0(f, __NV_SATFINITE, cudaRoundPosInf)) {}
  explicit SIMTLAB_FP8 __nv_fp8_e8m0(float f) : __x(__nv_cvt_float_to_e8m0(f, __NV_SATFINITE, cudaRoundPosInf)) {}
  explicit SIMTLAB_FP8 __nv_fp8_e8m0(double f) : __x(__nv_cvt_double_to_e8m0(f, __NV_SATFINITE, cudaRoundPosInf)) {}
  SIMTLAB_FP8_INTEGERS(__nv_fp8_e8m0)
  explicit SIMTLAB_FP8 operator __nv_bfloat16() const { return __nv_cvt_e8m0_to_bf16raw(__x); }
  explicit SIMTLAB_FP8 operator float() const { return __nv_bfloat16(*this); }
  explicit SIMTLAB_FP8 operator double() const { return static_cast<double>(float(*this)); }
  explicit SIMTLAB_FP8 operator __half() const { return __half(float(*this)); }
  explicit SIMTLAB_FP8 operator bool() const { return true; }
};
struct alignas(2) __nv_fp8x2_e8m0 {
  __nv_fp8x2_storage_t __x;
  __nv_fp8x2_e8m0() = default;
  explicit SIMTLAB_FP8 __nv_fp8x2_e8m0(__half2 f) : __nv_fp8x2_e8m0(__half22float2(f)) {}
  explicit SIMTLAB_FP8 __nv_fp8x2_e8m0(__nv_bfloat162 f)
      : __x(__nv_cvt_bfloat162raw_to_e8m0x2(f, __NV_SATFINITE, cudaRoundPosInf)) {}
  explicit SIMTLAB_FP8 __nv_fp8x2_e8m0(float2 f) : __x(__nv_cvt_float2_to_e8m0x2(f, __NV_SATFINITE, cudaRoundPosInf)) {}
  explicit SIMTLAB_FP8 __nv_fp8x2_e8m0(double2 f)
      : __x(__nv_cvt_double2_to_e8m0x2(f, __NV_SATFINITE, cudaRoundPosInf)) {}
  explicit SIMTLAB_FP8 operator __nv_bfloat162() const { return __nv_cvt_e8m0x2_to_bf162raw(__x); }
  explicit SIMTLAB_FP8 operator float2() const { return __bfloat1622float2(__nv_bfloat162(*this)); }
  explicit SIMTLAB_FP8 operator __half2() const { return __float22half2_rn(float2(*this)); }
};
SIMTLAB_FP8_FOUR(e8m0)
// NOLINTEND(bugprone-macro-parentheses)

#undef SIMTLAB_FP8_FOUR
#undef SIMTLAB_FP8_TYPES
#undef SIMTLAB_FP8_TO_INTEGERS
#undef SIMTLAB_FP8_INTEGERS
#undef SIMTLAB_FP8_INTEGER
#undef SIMTLAB_FP8
#ifdef SIMTLAB_FRONT_END
#pragma clang force_cuda_host_device end
#endif
