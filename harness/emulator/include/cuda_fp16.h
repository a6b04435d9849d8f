// Half precision in software: stored as IEEE binary16, computed in float and rounded to nearest even, as the hardware's
// instructions are. Conversions carry no hooks and no block trace, as they are one instruction on a GPU.
#pragma once
#ifndef __clang__  // whose completion hides names like __shfl_sync of system headers
#pragma GCC system_header
#endif
#define __CUDA_FP16_H__  // the toolkit's guard, for headers that look for it

#include <math.h>
#include <stdint.h>

#include "device_functions.h"
#include "host_defines.h"
#include "math_functions.h"
#ifdef SIMTLAB_FRONT_END
#pragma clang force_cuda_host_device begin
#endif

#define SIMTLAB_HALF inline __attribute__((always_inline, artificial))
#define SIMTLAB_CONVERSION inline __attribute__((noinline)) SIMTLAB_NO_HOOKS

namespace simtlab {

SIMTLAB_CONVERSION unsigned short half_bits(double value) {
  const uint64_t bits = __builtin_bit_cast(uint64_t, value);
  const unsigned sign = static_cast<unsigned>(bits >> 48) & 0x8000u;
  const int exponent = static_cast<int>(bits >> 52 & 0x7ff) - 1023;
  const uint64_t fraction = bits & 0xfffffffffffffull;
  if (exponent == 1024 && fraction != 0) return 0x7fff;  // the NaN that CUDA's conversions give
  if (exponent > 15) return static_cast<unsigned short>(sign | 0x7c00u);
  if (exponent < -25) return static_cast<unsigned short>(sign);
  const uint64_t full = fraction | uint64_t{1} << 52;
  const int shift = exponent >= -14 ? 42 : 28 - exponent;
  uint64_t magnitude = full >> shift;
  if (exponent >= -14) magnitude += static_cast<uint64_t>(exponent + 14) << 10;
  const uint64_t rest = full & ((uint64_t{1} << shift) - 1);
  const uint64_t middle = uint64_t{1} << (shift - 1);
  if (rest > middle || (rest == middle && (magnitude & 1) != 0)) ++magnitude;
  return static_cast<unsigned short>(sign | static_cast<unsigned>(magnitude));
}

SIMTLAB_CONVERSION float float_of_half(unsigned short bits) {
  const uint32_t sign = static_cast<uint32_t>(bits & 0x8000) << 16;
  const uint32_t exponent = bits >> 10 & 31;
  const uint32_t fraction = bits & 0x3ff;
  if (exponent == 31) return __builtin_bit_cast(float, sign | 0x7f800000u | fraction << 13);
  if (exponent != 0) return __builtin_bit_cast(float, sign | (exponent + 112) << 23 | fraction << 13);
  const float magnitude = static_cast<float>(fraction) * 5.9604644775390625e-8f;
  return sign != 0 ? -magnitude : magnitude;
}

}  // namespace simtlab

struct __half_raw {
  unsigned short x;
};

struct alignas(2) __half {
  unsigned short __x;

  __half() = default;
  SIMTLAB_HALF __half(__half_raw raw) : __x(raw.x) {}
  SIMTLAB_HALF __half(float value) : __x(simtlab::half_bits(static_cast<double>(value))) {}
  SIMTLAB_HALF __half(double value) : __x(simtlab::half_bits(static_cast<double>(value))) {}
  SIMTLAB_HALF __half(int value) : __x(simtlab::half_bits(static_cast<double>(value))) {}
  SIMTLAB_HALF __half(unsigned int value) : __x(simtlab::half_bits(static_cast<double>(value))) {}
  SIMTLAB_HALF __half(short value) : __x(simtlab::half_bits(static_cast<double>(value))) {}
  SIMTLAB_HALF __half(unsigned short value) : __x(simtlab::half_bits(static_cast<double>(value))) {}
  SIMTLAB_HALF __half(long value) : __x(simtlab::half_bits(static_cast<double>(value))) {}
  SIMTLAB_HALF __half(unsigned long value) : __x(simtlab::half_bits(static_cast<double>(value))) {}
  SIMTLAB_HALF __half(long long value) : __x(simtlab::half_bits(static_cast<double>(value))) {}
  SIMTLAB_HALF __half(unsigned long long value) : __x(simtlab::half_bits(static_cast<double>(value))) {}
  SIMTLAB_HALF operator float() const { return simtlab::float_of_half(__x); }
  SIMTLAB_HALF operator __half_raw() const { return {__x}; }
  SIMTLAB_HALF explicit operator bool() const { return (__x & 0x7fff) != 0; }
};
typedef __half half;

struct alignas(4) __half2 {
  __half x, y;

  __half2() = default;
  SIMTLAB_HALF __half2(__half a, __half b) : x(a), y(b) {}
};
typedef __half2 half2;

// Conversions
SIMTLAB_HALF __half __float2half(float a) { return __half(a); }
SIMTLAB_HALF __half __float2half_rn(float a) { return __half(a); }
SIMTLAB_HALF __half __double2half(double a) { return __half(a); }
SIMTLAB_HALF float __half2float(__half a) { return a; }
SIMTLAB_HALF __half2 __float2half2_rn(float a) { return __half2(__half(a), __half(a)); }
SIMTLAB_HALF __half2 __floats2half2_rn(float a, float b) { return __half2(__half(a), __half(b)); }
SIMTLAB_HALF __half2 __float22half2_rn(float2 a) { return __half2(__half(a.x), __half(a.y)); }
SIMTLAB_HALF float2 __half22float2(__half2 a) { return float2{a.x, a.y}; }
SIMTLAB_HALF __half2 __halves2half2(__half a, __half b) { return __half2(a, b); }
SIMTLAB_HALF __half2 __half2half2(__half a) { return __half2(a, a); }
SIMTLAB_HALF __half2 make_half2(__half a, __half b) { return __half2(a, b); }
SIMTLAB_HALF __half __low2half(__half2 a) { return a.x; }
SIMTLAB_HALF __half __high2half(__half2 a) { return a.y; }
SIMTLAB_HALF float __low2float(__half2 a) { return a.x; }
SIMTLAB_HALF float __high2float(__half2 a) { return a.y; }
SIMTLAB_HALF __half2 __lowhigh2highlow(__half2 a) { return __half2(a.y, a.x); }
SIMTLAB_HALF unsigned short __half_as_ushort(__half a) { return a.__x; }
SIMTLAB_HALF short __half_as_short(__half a) { return static_cast<short>(a.__x); }
SIMTLAB_HALF __half __ushort_as_half(unsigned short a) { return __half(__half_raw{a}); }
SIMTLAB_HALF __half __short_as_half(short a) { return __half(__half_raw{static_cast<unsigned short>(a)}); }
SIMTLAB_HALF __half __int2half_rn(int a) { return __half(a); }
SIMTLAB_HALF int __half2int_rn(__half a) {
  return simtlab::saturated<int>(nearbyint(static_cast<double>(static_cast<float>(a))));
}
SIMTLAB_HALF int __half2int_rz(__half a) {
  return simtlab::saturated<int>(trunc(static_cast<double>(static_cast<float>(a))));
}
SIMTLAB_HALF int __half2int_ru(__half a) {
  return simtlab::saturated<int>(ceil(static_cast<double>(static_cast<float>(a))));
}
SIMTLAB_HALF int __half2int_rd(__half a) {
  return simtlab::saturated<int>(floor(static_cast<double>(static_cast<float>(a))));
}
SIMTLAB_HALF __half __uint2half_rn(unsigned int a) { return __half(a); }
SIMTLAB_HALF unsigned int __half2uint_rn(__half a) {
  return simtlab::saturated<unsigned int>(nearbyint(static_cast<double>(static_cast<float>(a))));
}
SIMTLAB_HALF unsigned int __half2uint_rz(__half a) {
  return simtlab::saturated<unsigned int>(trunc(static_cast<double>(static_cast<float>(a))));
}
SIMTLAB_HALF unsigned int __half2uint_ru(__half a) {
  return simtlab::saturated<unsigned int>(ceil(static_cast<double>(static_cast<float>(a))));
}
SIMTLAB_HALF unsigned int __half2uint_rd(__half a) {
  return simtlab::saturated<unsigned int>(floor(static_cast<double>(static_cast<float>(a))));
}
SIMTLAB_HALF __half __short2half_rn(short a) { return __half(a); }
SIMTLAB_HALF short __half2short_rn(__half a) {
  return simtlab::saturated<short>(nearbyint(static_cast<double>(static_cast<float>(a))));
}
SIMTLAB_HALF short __half2short_rz(__half a) {
  return simtlab::saturated<short>(trunc(static_cast<double>(static_cast<float>(a))));
}
SIMTLAB_HALF short __half2short_ru(__half a) {
  return simtlab::saturated<short>(ceil(static_cast<double>(static_cast<float>(a))));
}
SIMTLAB_HALF short __half2short_rd(__half a) {
  return simtlab::saturated<short>(floor(static_cast<double>(static_cast<float>(a))));
}
SIMTLAB_HALF __half __ushort2half_rn(unsigned short a) { return __half(a); }
SIMTLAB_HALF unsigned short __half2ushort_rn(__half a) {
  return simtlab::saturated<unsigned short>(nearbyint(static_cast<double>(static_cast<float>(a))));
}
SIMTLAB_HALF unsigned short __half2ushort_rz(__half a) {
  return simtlab::saturated<unsigned short>(trunc(static_cast<double>(static_cast<float>(a))));
}
SIMTLAB_HALF unsigned short __half2ushort_ru(__half a) {
  return simtlab::saturated<unsigned short>(ceil(static_cast<double>(static_cast<float>(a))));
}
SIMTLAB_HALF unsigned short __half2ushort_rd(__half a) {
  return simtlab::saturated<unsigned short>(floor(static_cast<double>(static_cast<float>(a))));
}
SIMTLAB_HALF __half __ll2half_rn(long long a) { return __half(a); }
SIMTLAB_HALF long long __half2ll_rn(__half a) {
  return simtlab::saturated<long long>(nearbyint(static_cast<double>(static_cast<float>(a))));
}
SIMTLAB_HALF long long __half2ll_rz(__half a) {
  return simtlab::saturated<long long>(trunc(static_cast<double>(static_cast<float>(a))));
}
SIMTLAB_HALF long long __half2ll_ru(__half a) {
  return simtlab::saturated<long long>(ceil(static_cast<double>(static_cast<float>(a))));
}
SIMTLAB_HALF long long __half2ll_rd(__half a) {
  return simtlab::saturated<long long>(floor(static_cast<double>(static_cast<float>(a))));
}
SIMTLAB_HALF __half __ull2half_rn(unsigned long long a) { return __half(a); }
SIMTLAB_HALF unsigned long long __half2ull_rn(__half a) {
  return simtlab::saturated<unsigned long long>(nearbyint(static_cast<double>(static_cast<float>(a))));
}
SIMTLAB_HALF unsigned long long __half2ull_rz(__half a) {
  return simtlab::saturated<unsigned long long>(trunc(static_cast<double>(static_cast<float>(a))));
}
SIMTLAB_HALF unsigned long long __half2ull_ru(__half a) {
  return simtlab::saturated<unsigned long long>(ceil(static_cast<double>(static_cast<float>(a))));
}
SIMTLAB_HALF unsigned long long __half2ull_rd(__half a) {
  return simtlab::saturated<unsigned long long>(floor(static_cast<double>(static_cast<float>(a))));
}

// Arithmetic
SIMTLAB_HALF __half __hadd(__half a, __half b) { return __half(static_cast<float>(a) + static_cast<float>(b)); }
SIMTLAB_HALF __half __hadd_sat(__half a, __half b) {
  return __half(__saturatef(static_cast<float>(a) + static_cast<float>(b)));
}
SIMTLAB_HALF __half2 __hadd2(__half2 a, __half2 b) { return __half2(__hadd(a.x, b.x), __hadd(a.y, b.y)); }
SIMTLAB_HALF __half __hsub(__half a, __half b) { return __half(static_cast<float>(a) - static_cast<float>(b)); }
SIMTLAB_HALF __half __hsub_sat(__half a, __half b) {
  return __half(__saturatef(static_cast<float>(a) - static_cast<float>(b)));
}
SIMTLAB_HALF __half2 __hsub2(__half2 a, __half2 b) { return __half2(__hsub(a.x, b.x), __hsub(a.y, b.y)); }
SIMTLAB_HALF __half __hmul(__half a, __half b) { return __half(static_cast<float>(a) * static_cast<float>(b)); }
SIMTLAB_HALF __half __hmul_sat(__half a, __half b) {
  return __half(__saturatef(static_cast<float>(a) * static_cast<float>(b)));
}
SIMTLAB_HALF __half2 __hmul2(__half2 a, __half2 b) { return __half2(__hmul(a.x, b.x), __hmul(a.y, b.y)); }
SIMTLAB_HALF __half __hdiv(__half a, __half b) { return __half(static_cast<float>(a) / static_cast<float>(b)); }
SIMTLAB_HALF __half2 __h2div(__half2 a, __half2 b) { return __half2(__hdiv(a.x, b.x), __hdiv(a.y, b.y)); }
SIMTLAB_HALF __half __hfma(__half a, __half b, __half c) {
  return __half(static_cast<double>(static_cast<float>(a)) * static_cast<float>(b) + static_cast<float>(c));
}
SIMTLAB_HALF __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
  return __half2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
SIMTLAB_HALF __half __hneg(__half a) { return __ushort_as_half(static_cast<unsigned short>(a.__x ^ 0x8000)); }
SIMTLAB_HALF __half __habs(__half a) { return __ushort_as_half(static_cast<unsigned short>(a.__x & 0x7fff)); }
SIMTLAB_HALF __half2 __hneg2(__half2 a) { return __half2(__hneg(a.x), __hneg(a.y)); }
SIMTLAB_HALF __half2 __habs2(__half2 a) { return __half2(__habs(a.x), __habs(a.y)); }
SIMTLAB_HALF __half __hmax(__half a, __half b) { return __half(fmaxf(a, b)); }
SIMTLAB_HALF __half __hmin(__half a, __half b) { return __half(fminf(a, b)); }
SIMTLAB_HALF __half2 __hmax2(__half2 a, __half2 b) { return __half2(__hmax(a.x, b.x), __hmax(a.y, b.y)); }
SIMTLAB_HALF __half2 __hmin2(__half2 a, __half2 b) { return __half2(__hmin(a.x, b.x), __hmin(a.y, b.y)); }
SIMTLAB_HALF bool __hisnan(__half a) { return (a.__x & 0x7fff) > 0x7c00; }
SIMTLAB_HALF int __hisinf(__half a) { return (a.__x & 0x7fff) == 0x7c00 ? (a.__x & 0x8000 ? -1 : 1) : 0; }
SIMTLAB_HALF bool __hlt(__half a, __half b) { return static_cast<float>(a) < static_cast<float>(b); }
SIMTLAB_HALF bool __hgt(__half a, __half b) { return static_cast<float>(a) > static_cast<float>(b); }
SIMTLAB_HALF bool __hle(__half a, __half b) { return static_cast<float>(a) <= static_cast<float>(b); }
SIMTLAB_HALF bool __hge(__half a, __half b) { return static_cast<float>(a) >= static_cast<float>(b); }
SIMTLAB_HALF bool __heq(__half a, __half b) { return static_cast<float>(a) == static_cast<float>(b); }
SIMTLAB_HALF bool __hne(__half a, __half b) { return static_cast<float>(a) != static_cast<float>(b); }
SIMTLAB_HALF __half hsqrt(__half a) { return __half(sqrtf(a)); }
SIMTLAB_HALF __half hexp(__half a) { return __half(expf(a)); }
SIMTLAB_HALF __half hexp2(__half a) { return __half(exp2f(a)); }
SIMTLAB_HALF __half hexp10(__half a) { return __half(exp10f(a)); }
SIMTLAB_HALF __half hlog(__half a) { return __half(logf(a)); }
SIMTLAB_HALF __half hlog2(__half a) { return __half(log2f(a)); }
SIMTLAB_HALF __half hlog10(__half a) { return __half(log10f(a)); }
SIMTLAB_HALF __half hsin(__half a) { return __half(sinf(a)); }
SIMTLAB_HALF __half hcos(__half a) { return __half(cosf(a)); }
SIMTLAB_HALF __half hfloor(__half a) { return __half(floorf(a)); }
SIMTLAB_HALF __half hceil(__half a) { return __half(ceilf(a)); }
SIMTLAB_HALF __half htrunc(__half a) { return __half(truncf(a)); }
SIMTLAB_HALF __half hrint(__half a) { return __half(rintf(a)); }
SIMTLAB_HALF __half hrcp(__half a) { return __half(1.0f / static_cast<float>(a)); }
SIMTLAB_HALF __half hrsqrt(__half a) { return __half(1.0f / sqrtf(a)); }

SIMTLAB_HALF __half operator+(__half a, __half b) { return __hadd(a, b); }
SIMTLAB_HALF __half& operator+=(__half& a, __half b) { return a = __hadd(a, b); }
SIMTLAB_HALF __half2 operator+(__half2 a, __half2 b) { return __hadd2(a, b); }
SIMTLAB_HALF __half2& operator+=(__half2& a, __half2 b) { return a = a + b; }
SIMTLAB_HALF __half operator-(__half a, __half b) { return __hsub(a, b); }
SIMTLAB_HALF __half& operator-=(__half& a, __half b) { return a = __hsub(a, b); }
SIMTLAB_HALF __half2 operator-(__half2 a, __half2 b) { return __hsub2(a, b); }
SIMTLAB_HALF __half2& operator-=(__half2& a, __half2 b) { return a = a - b; }
SIMTLAB_HALF __half operator*(__half a, __half b) { return __hmul(a, b); }
SIMTLAB_HALF __half& operator*=(__half& a, __half b) { return a = __hmul(a, b); }
SIMTLAB_HALF __half2 operator*(__half2 a, __half2 b) { return __hmul2(a, b); }
SIMTLAB_HALF __half2& operator*=(__half2& a, __half2 b) { return a = a * b; }
SIMTLAB_HALF __half operator/(__half a, __half b) { return __hdiv(a, b); }
SIMTLAB_HALF __half& operator/=(__half& a, __half b) { return a = __hdiv(a, b); }
SIMTLAB_HALF __half2 operator/(__half2 a, __half2 b) { return __h2div(a, b); }
SIMTLAB_HALF __half2& operator/=(__half2& a, __half2 b) { return a = a / b; }
SIMTLAB_HALF __half operator-(__half a) { return __hneg(a); }
SIMTLAB_HALF __half operator+(__half a) { return a; }
SIMTLAB_HALF __half& operator++(__half& a) { return a = __hadd(a, __half(1)); }
SIMTLAB_HALF __half& operator--(__half& a) { return a = __hsub(a, __half(1)); }
SIMTLAB_HALF bool operator<(__half a, __half b) { return __hlt(a, b); }
SIMTLAB_HALF bool operator>(__half a, __half b) { return __hgt(a, b); }
SIMTLAB_HALF bool operator<=(__half a, __half b) { return __hle(a, b); }
SIMTLAB_HALF bool operator>=(__half a, __half b) { return __hge(a, b); }
SIMTLAB_HALF bool operator==(__half a, __half b) { return __heq(a, b); }
SIMTLAB_HALF bool operator!=(__half a, __half b) { return __hne(a, b); }

// Shuffles
SIMTLAB_HALF __half __shfl_sync(unsigned mask, __half value, int source, int width = 32) {
  return __ushort_as_half(
      static_cast<unsigned short>(__shfl_sync(mask, static_cast<unsigned>(value.__x), source, width)));
}
SIMTLAB_HALF __half __shfl_up_sync(unsigned mask, __half value, unsigned delta, int width = 32) {
  return __ushort_as_half(
      static_cast<unsigned short>(__shfl_up_sync(mask, static_cast<unsigned>(value.__x), delta, width)));
}
SIMTLAB_HALF __half __shfl_down_sync(unsigned mask, __half value, unsigned delta, int width = 32) {
  return __ushort_as_half(
      static_cast<unsigned short>(__shfl_down_sync(mask, static_cast<unsigned>(value.__x), delta, width)));
}
SIMTLAB_HALF __half __shfl_xor_sync(unsigned mask, __half value, int lane_mask, int width = 32) {
  return __ushort_as_half(
      static_cast<unsigned short>(__shfl_xor_sync(mask, static_cast<unsigned>(value.__x), lane_mask, width)));
}

#undef SIMTLAB_HALF
#undef SIMTLAB_CONVERSION
#ifdef SIMTLAB_FRONT_END
#pragma clang force_cuda_host_device end
#endif
