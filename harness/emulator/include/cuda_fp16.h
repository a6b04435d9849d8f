// Half precision in software: stored as IEEE binary16, computed in float and rounded to nearest even, as the hardware's
// instructions are.
#pragma once
#ifndef __clang__  // whose completion hides names like __shfl_sync of system headers
#pragma GCC system_header
#endif
#define __CUDA_FP16_H__  // the toolkit's guard, for headers that look for it

#include <math.h>
#include <stdint.h>

#include "device_atomic_functions.h"
#include "device_functions.h"
#include "host_defines.h"
#include "math_functions.h"
#include "simtlab/small_formats.h"
#ifdef SIMTLAB_FRONT_END
#pragma clang force_cuda_host_device begin
#endif

#define SIMTLAB_HALF inline __attribute__((always_inline, artificial))

#define SIMTLAB_RAW __half_raw
#define SIMTLAB_PAIR_RAW __half2_raw
#define SIMTLAB_SMALL __half
#define SIMTLAB_PAIR __half2
#define SIMTLAB_FORMAT half_format
#include "simtlab/small_float_type.h"
#undef SIMTLAB_FORMAT
#undef SIMTLAB_PAIR
#undef SIMTLAB_SMALL
#undef SIMTLAB_PAIR_RAW
#undef SIMTLAB_RAW

typedef __half half;
typedef __half2 half2;

// Conversions
SIMTLAB_HALF __half __float2half(float a) { return __half(a); }
SIMTLAB_HALF __half __float2half_rn(float a) { return __half(a); }
SIMTLAB_HALF __half __float2half_rz(float a) {
  return __half(__half_raw{simtlab::half_format::bits(static_cast<double>(a), simtlab_round_to_zero)});
}
SIMTLAB_HALF __half __float2half_ru(float a) {
  return __half(__half_raw{simtlab::half_format::bits(static_cast<double>(a), simtlab_round_up)});
}
SIMTLAB_HALF __half __float2half_rd(float a) {
  return __half(__half_raw{simtlab::half_format::bits(static_cast<double>(a), simtlab_round_down)});
}
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
SIMTLAB_HALF __half2 __low2half2(__half2 a) { return __half2(a.x, a.x); }
SIMTLAB_HALF __half2 __high2half2(__half2 a) { return __half2(a.y, a.y); }
SIMTLAB_HALF __half2 __lows2half2(__half2 a, __half2 b) { return __half2(a.x, b.x); }
SIMTLAB_HALF __half2 __highs2half2(__half2 a, __half2 b) { return __half2(a.y, b.y); }
SIMTLAB_HALF unsigned short __half_as_ushort(__half a) { return a.__x; }
SIMTLAB_HALF short __half_as_short(__half a) { return static_cast<short>(a.__x); }
SIMTLAB_HALF __half __ushort_as_half(unsigned short a) { return __half(__half_raw{a}); }
SIMTLAB_HALF __half __short_as_half(short a) { return __half(__half_raw{static_cast<unsigned short>(a)}); }
SIMTLAB_HALF __half __int2half_rn(int a) { return __half(a); }
SIMTLAB_HALF __half __int2half_rz(int a) {
  return __half(__half_raw{simtlab::half_format::bits(a, simtlab_round_to_zero)});
}
SIMTLAB_HALF __half __int2half_ru(int a) { return __half(__half_raw{simtlab::half_format::bits(a, simtlab_round_up)}); }
SIMTLAB_HALF __half __int2half_rd(int a) {
  return __half(__half_raw{simtlab::half_format::bits(a, simtlab_round_down)});
}
SIMTLAB_HALF int __half2int_rn(__half a) { return __float2int_rn(static_cast<float>(a)); }
SIMTLAB_HALF int __half2int_rz(__half a) { return __float2int_rz(static_cast<float>(a)); }
SIMTLAB_HALF int __half2int_ru(__half a) { return __float2int_ru(static_cast<float>(a)); }
SIMTLAB_HALF int __half2int_rd(__half a) { return __float2int_rd(static_cast<float>(a)); }
SIMTLAB_HALF __half __uint2half_rn(unsigned int a) { return __half(a); }
SIMTLAB_HALF __half __uint2half_rz(unsigned int a) {
  return __half(__half_raw{simtlab::half_format::bits(a, simtlab_round_to_zero)});
}
SIMTLAB_HALF __half __uint2half_ru(unsigned int a) {
  return __half(__half_raw{simtlab::half_format::bits(a, simtlab_round_up)});
}
SIMTLAB_HALF __half __uint2half_rd(unsigned int a) {
  return __half(__half_raw{simtlab::half_format::bits(a, simtlab_round_down)});
}
SIMTLAB_HALF unsigned int __half2uint_rn(__half a) { return __float2uint_rn(static_cast<float>(a)); }
SIMTLAB_HALF unsigned int __half2uint_rz(__half a) { return __float2uint_rz(static_cast<float>(a)); }
SIMTLAB_HALF unsigned int __half2uint_ru(__half a) { return __float2uint_ru(static_cast<float>(a)); }
SIMTLAB_HALF unsigned int __half2uint_rd(__half a) { return __float2uint_rd(static_cast<float>(a)); }
SIMTLAB_HALF signed char __half2char_rz(__half a) {
  return simtlab::saturated<signed char>(trunc(static_cast<double>(static_cast<float>(a))));
}
SIMTLAB_HALF unsigned char __half2uchar_rz(__half a) {
  return simtlab::saturated<unsigned char>(trunc(static_cast<double>(static_cast<float>(a))));
}
SIMTLAB_HALF __half __short2half_rn(short a) { return __half(a); }
SIMTLAB_HALF __half __short2half_rz(short a) {
  return __half(__half_raw{simtlab::half_format::bits(a, simtlab_round_to_zero)});
}
SIMTLAB_HALF __half __short2half_ru(short a) {
  return __half(__half_raw{simtlab::half_format::bits(a, simtlab_round_up)});
}
SIMTLAB_HALF __half __short2half_rd(short a) {
  return __half(__half_raw{simtlab::half_format::bits(a, simtlab_round_down)});
}
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
SIMTLAB_HALF __half __ushort2half_rz(unsigned short a) {
  return __half(__half_raw{simtlab::half_format::bits(a, simtlab_round_to_zero)});
}
SIMTLAB_HALF __half __ushort2half_ru(unsigned short a) {
  return __half(__half_raw{simtlab::half_format::bits(a, simtlab_round_up)});
}
SIMTLAB_HALF __half __ushort2half_rd(unsigned short a) {
  return __half(__half_raw{simtlab::half_format::bits(a, simtlab_round_down)});
}
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
SIMTLAB_HALF __half __ll2half_rz(long long a) {
  return __half(__half_raw{simtlab::half_format::bits(simtlab::with_sticky_bit(a), simtlab_round_to_zero)});
}
SIMTLAB_HALF __half __ll2half_ru(long long a) {
  return __half(__half_raw{simtlab::half_format::bits(simtlab::with_sticky_bit(a), simtlab_round_up)});
}
SIMTLAB_HALF __half __ll2half_rd(long long a) {
  return __half(__half_raw{simtlab::half_format::bits(simtlab::with_sticky_bit(a), simtlab_round_down)});
}
SIMTLAB_HALF long long __half2ll_rn(__half a) { return __float2ll_rn(static_cast<float>(a)); }
SIMTLAB_HALF long long __half2ll_rz(__half a) { return __float2ll_rz(static_cast<float>(a)); }
SIMTLAB_HALF long long __half2ll_ru(__half a) { return __float2ll_ru(static_cast<float>(a)); }
SIMTLAB_HALF long long __half2ll_rd(__half a) { return __float2ll_rd(static_cast<float>(a)); }
SIMTLAB_HALF __half __ull2half_rn(unsigned long long a) { return __half(a); }
SIMTLAB_HALF __half __ull2half_rz(unsigned long long a) {
  return __half(__half_raw{simtlab::half_format::bits(simtlab::with_sticky_bit(a), simtlab_round_to_zero)});
}
SIMTLAB_HALF __half __ull2half_ru(unsigned long long a) {
  return __half(__half_raw{simtlab::half_format::bits(simtlab::with_sticky_bit(a), simtlab_round_up)});
}
SIMTLAB_HALF __half __ull2half_rd(unsigned long long a) {
  return __half(__half_raw{simtlab::half_format::bits(simtlab::with_sticky_bit(a), simtlab_round_down)});
}
SIMTLAB_HALF unsigned long long __half2ull_rn(__half a) { return __float2ull_rn(static_cast<float>(a)); }
SIMTLAB_HALF unsigned long long __half2ull_rz(__half a) { return __float2ull_rz(static_cast<float>(a)); }
SIMTLAB_HALF unsigned long long __half2ull_ru(__half a) { return __float2ull_ru(static_cast<float>(a)); }
SIMTLAB_HALF unsigned long long __half2ull_rd(__half a) { return __float2ull_rd(static_cast<float>(a)); }

// a * b + c of complex numbers
SIMTLAB_HALF __half2 __hcmadd(__half2 a, __half2 b, __half2 c) {
  return __half2(__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));
}
SIMTLAB_HALF __half htanh_approx(__half a) { return htanh(a); }
SIMTLAB_HALF __half2 h2tanh_approx(__half2 a) { return h2tanh(a); }

#undef SIMTLAB_HALF
#ifdef SIMTLAB_FRONT_END
#pragma clang force_cuda_host_device end
#endif
