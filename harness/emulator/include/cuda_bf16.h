// The format bfloat16 in software: a float's upper half, computed in float and rounded to nearest even, as a GPU of compute
// capability 9 does.
#pragma once
#ifndef __clang__  // whose completion hides names like __shfl_sync of system headers
#pragma GCC system_header
#endif
#define __CUDA_BF16_H__  // the toolkit's guard, for headers that look for it

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

#define SIMTLAB_RAW __nv_bfloat16_raw
#define SIMTLAB_PAIR_RAW __nv_bfloat162_raw
#define SIMTLAB_SMALL __nv_bfloat16
#define SIMTLAB_PAIR __nv_bfloat162
#define SIMTLAB_FORMAT bfloat_format
#include "simtlab/small_float_type.h"
#undef SIMTLAB_FORMAT
#undef SIMTLAB_PAIR
#undef SIMTLAB_SMALL
#undef SIMTLAB_PAIR_RAW
#undef SIMTLAB_RAW

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

// Conversions
SIMTLAB_HALF __nv_bfloat16 __float2bfloat16(float a) { return __nv_bfloat16(a); }
SIMTLAB_HALF __nv_bfloat16 __float2bfloat16_rn(float a) { return __nv_bfloat16(a); }
SIMTLAB_HALF __nv_bfloat16 __float2bfloat16_rz(float a) {
  return __nv_bfloat16(__nv_bfloat16_raw{simtlab::bfloat_format::bits(static_cast<double>(a), simtlab_round_to_zero)});
}
SIMTLAB_HALF __nv_bfloat16 __float2bfloat16_ru(float a) {
  return __nv_bfloat16(__nv_bfloat16_raw{simtlab::bfloat_format::bits(static_cast<double>(a), simtlab_round_up)});
}
SIMTLAB_HALF __nv_bfloat16 __float2bfloat16_rd(float a) {
  return __nv_bfloat16(__nv_bfloat16_raw{simtlab::bfloat_format::bits(static_cast<double>(a), simtlab_round_down)});
}
SIMTLAB_HALF __nv_bfloat16 __double2bfloat16(double a) { return __nv_bfloat16(a); }
SIMTLAB_HALF float __bfloat162float(__nv_bfloat16 a) { return a; }
SIMTLAB_HALF __nv_bfloat162 __float2bfloat162_rn(float a) { return __nv_bfloat162(__nv_bfloat16(a), __nv_bfloat16(a)); }
SIMTLAB_HALF __nv_bfloat162 __floats2bfloat162_rn(float a, float b) {
  return __nv_bfloat162(__nv_bfloat16(a), __nv_bfloat16(b));
}
SIMTLAB_HALF __nv_bfloat162 __float22bfloat162_rn(float2 a) {
  return __nv_bfloat162(__nv_bfloat16(a.x), __nv_bfloat16(a.y));
}
SIMTLAB_HALF float2 __bfloat1622float2(__nv_bfloat162 a) { return float2{a.x, a.y}; }
SIMTLAB_HALF __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat162(a, b); }
SIMTLAB_HALF __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return __nv_bfloat162(a, a); }
SIMTLAB_HALF __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat162(a, b); }
SIMTLAB_HALF __nv_bfloat16 __low2bfloat16(__nv_bfloat162 a) { return a.x; }
SIMTLAB_HALF __nv_bfloat16 __high2bfloat16(__nv_bfloat162 a) { return a.y; }
SIMTLAB_HALF __nv_bfloat162 __low2bfloat162(__nv_bfloat162 a) { return __nv_bfloat162(a.x, a.x); }
SIMTLAB_HALF __nv_bfloat162 __high2bfloat162(__nv_bfloat162 a) { return __nv_bfloat162(a.y, a.y); }
SIMTLAB_HALF __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(a.x, b.x); }
SIMTLAB_HALF __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(a.y, b.y); }
SIMTLAB_HALF unsigned short __bfloat16_as_ushort(__nv_bfloat16 a) { return a.__x; }
SIMTLAB_HALF short __bfloat16_as_short(__nv_bfloat16 a) { return static_cast<short>(a.__x); }
SIMTLAB_HALF __nv_bfloat16 __ushort_as_bfloat16(unsigned short a) { return __nv_bfloat16(__nv_bfloat16_raw{a}); }
SIMTLAB_HALF __nv_bfloat16 __short_as_bfloat16(short a) {
  return __nv_bfloat16(__nv_bfloat16_raw{static_cast<unsigned short>(a)});
}
SIMTLAB_HALF __nv_bfloat16 __int2bfloat16_rn(int a) { return __nv_bfloat16(a); }
SIMTLAB_HALF __nv_bfloat16 __int2bfloat16_rz(int a) {
  return __nv_bfloat16(__nv_bfloat16_raw{simtlab::bfloat_format::bits(a, simtlab_round_to_zero)});
}
SIMTLAB_HALF __nv_bfloat16 __int2bfloat16_ru(int a) {
  return __nv_bfloat16(__nv_bfloat16_raw{simtlab::bfloat_format::bits(a, simtlab_round_up)});
}
SIMTLAB_HALF __nv_bfloat16 __int2bfloat16_rd(int a) {
  return __nv_bfloat16(__nv_bfloat16_raw{simtlab::bfloat_format::bits(a, simtlab_round_down)});
}
SIMTLAB_HALF int __bfloat162int_rn(__nv_bfloat16 a) { return __float2int_rn(static_cast<float>(a)); }
SIMTLAB_HALF int __bfloat162int_rz(__nv_bfloat16 a) { return __float2int_rz(static_cast<float>(a)); }
SIMTLAB_HALF int __bfloat162int_ru(__nv_bfloat16 a) { return __float2int_ru(static_cast<float>(a)); }
SIMTLAB_HALF int __bfloat162int_rd(__nv_bfloat16 a) { return __float2int_rd(static_cast<float>(a)); }
SIMTLAB_HALF __nv_bfloat16 __uint2bfloat16_rn(unsigned int a) { return __nv_bfloat16(a); }
SIMTLAB_HALF __nv_bfloat16 __uint2bfloat16_rz(unsigned int a) {
  return __nv_bfloat16(__nv_bfloat16_raw{simtlab::bfloat_format::bits(a, simtlab_round_to_zero)});
}
SIMTLAB_HALF __nv_bfloat16 __uint2bfloat16_ru(unsigned int a) {
  return __nv_bfloat16(__nv_bfloat16_raw{simtlab::bfloat_format::bits(a, simtlab_round_up)});
}
SIMTLAB_HALF __nv_bfloat16 __uint2bfloat16_rd(unsigned int a) {
  return __nv_bfloat16(__nv_bfloat16_raw{simtlab::bfloat_format::bits(a, simtlab_round_down)});
}
SIMTLAB_HALF unsigned int __bfloat162uint_rn(__nv_bfloat16 a) { return __float2uint_rn(static_cast<float>(a)); }
SIMTLAB_HALF unsigned int __bfloat162uint_rz(__nv_bfloat16 a) { return __float2uint_rz(static_cast<float>(a)); }
SIMTLAB_HALF unsigned int __bfloat162uint_ru(__nv_bfloat16 a) { return __float2uint_ru(static_cast<float>(a)); }
SIMTLAB_HALF unsigned int __bfloat162uint_rd(__nv_bfloat16 a) { return __float2uint_rd(static_cast<float>(a)); }
SIMTLAB_HALF signed char __bfloat162char_rz(__nv_bfloat16 a) {
  return simtlab::saturated<signed char>(trunc(static_cast<double>(static_cast<float>(a))));
}
SIMTLAB_HALF unsigned char __bfloat162uchar_rz(__nv_bfloat16 a) {
  return simtlab::saturated<unsigned char>(trunc(static_cast<double>(static_cast<float>(a))));
}
SIMTLAB_HALF __nv_bfloat16 __short2bfloat16_rn(short a) { return __nv_bfloat16(a); }
SIMTLAB_HALF __nv_bfloat16 __short2bfloat16_rz(short a) {
  return __nv_bfloat16(__nv_bfloat16_raw{simtlab::bfloat_format::bits(a, simtlab_round_to_zero)});
}
SIMTLAB_HALF __nv_bfloat16 __short2bfloat16_ru(short a) {
  return __nv_bfloat16(__nv_bfloat16_raw{simtlab::bfloat_format::bits(a, simtlab_round_up)});
}
SIMTLAB_HALF __nv_bfloat16 __short2bfloat16_rd(short a) {
  return __nv_bfloat16(__nv_bfloat16_raw{simtlab::bfloat_format::bits(a, simtlab_round_down)});
}
SIMTLAB_HALF short __bfloat162short_rn(__nv_bfloat16 a) {
  return simtlab::saturated<short>(nearbyint(static_cast<double>(static_cast<float>(a))));
}
SIMTLAB_HALF short __bfloat162short_rz(__nv_bfloat16 a) {
  return simtlab::saturated<short>(trunc(static_cast<double>(static_cast<float>(a))));
}
SIMTLAB_HALF short __bfloat162short_ru(__nv_bfloat16 a) {
  return simtlab::saturated<short>(ceil(static_cast<double>(static_cast<float>(a))));
}
SIMTLAB_HALF short __bfloat162short_rd(__nv_bfloat16 a) {
  return simtlab::saturated<short>(floor(static_cast<double>(static_cast<float>(a))));
}
SIMTLAB_HALF __nv_bfloat16 __ushort2bfloat16_rn(unsigned short a) { return __nv_bfloat16(a); }
SIMTLAB_HALF __nv_bfloat16 __ushort2bfloat16_rz(unsigned short a) {
  return __nv_bfloat16(__nv_bfloat16_raw{simtlab::bfloat_format::bits(a, simtlab_round_to_zero)});
}
SIMTLAB_HALF __nv_bfloat16 __ushort2bfloat16_ru(unsigned short a) {
  return __nv_bfloat16(__nv_bfloat16_raw{simtlab::bfloat_format::bits(a, simtlab_round_up)});
}
SIMTLAB_HALF __nv_bfloat16 __ushort2bfloat16_rd(unsigned short a) {
  return __nv_bfloat16(__nv_bfloat16_raw{simtlab::bfloat_format::bits(a, simtlab_round_down)});
}
SIMTLAB_HALF unsigned short __bfloat162ushort_rn(__nv_bfloat16 a) {
  return simtlab::saturated<unsigned short>(nearbyint(static_cast<double>(static_cast<float>(a))));
}
SIMTLAB_HALF unsigned short __bfloat162ushort_rz(__nv_bfloat16 a) {
  return simtlab::saturated<unsigned short>(trunc(static_cast<double>(static_cast<float>(a))));
}
SIMTLAB_HALF unsigned short __bfloat162ushort_ru(__nv_bfloat16 a) {
  return simtlab::saturated<unsigned short>(ceil(static_cast<double>(static_cast<float>(a))));
}
SIMTLAB_HALF unsigned short __bfloat162ushort_rd(__nv_bfloat16 a) {
  return simtlab::saturated<unsigned short>(floor(static_cast<double>(static_cast<float>(a))));
}
SIMTLAB_HALF __nv_bfloat16 __ll2bfloat16_rn(long long a) { return __nv_bfloat16(a); }
SIMTLAB_HALF __nv_bfloat16 __ll2bfloat16_rz(long long a) {
  return __nv_bfloat16(
      __nv_bfloat16_raw{simtlab::bfloat_format::bits(simtlab::with_sticky_bit(a), simtlab_round_to_zero)});
}
SIMTLAB_HALF __nv_bfloat16 __ll2bfloat16_ru(long long a) {
  return __nv_bfloat16(__nv_bfloat16_raw{simtlab::bfloat_format::bits(simtlab::with_sticky_bit(a), simtlab_round_up)});
}
SIMTLAB_HALF __nv_bfloat16 __ll2bfloat16_rd(long long a) {
  return __nv_bfloat16(
      __nv_bfloat16_raw{simtlab::bfloat_format::bits(simtlab::with_sticky_bit(a), simtlab_round_down)});
}
SIMTLAB_HALF long long __bfloat162ll_rn(__nv_bfloat16 a) { return __float2ll_rn(static_cast<float>(a)); }
SIMTLAB_HALF long long __bfloat162ll_rz(__nv_bfloat16 a) { return __float2ll_rz(static_cast<float>(a)); }
SIMTLAB_HALF long long __bfloat162ll_ru(__nv_bfloat16 a) { return __float2ll_ru(static_cast<float>(a)); }
SIMTLAB_HALF long long __bfloat162ll_rd(__nv_bfloat16 a) { return __float2ll_rd(static_cast<float>(a)); }
SIMTLAB_HALF __nv_bfloat16 __ull2bfloat16_rn(unsigned long long a) { return __nv_bfloat16(a); }
SIMTLAB_HALF __nv_bfloat16 __ull2bfloat16_rz(unsigned long long a) {
  return __nv_bfloat16(
      __nv_bfloat16_raw{simtlab::bfloat_format::bits(simtlab::with_sticky_bit(a), simtlab_round_to_zero)});
}
SIMTLAB_HALF __nv_bfloat16 __ull2bfloat16_ru(unsigned long long a) {
  return __nv_bfloat16(__nv_bfloat16_raw{simtlab::bfloat_format::bits(simtlab::with_sticky_bit(a), simtlab_round_up)});
}
SIMTLAB_HALF __nv_bfloat16 __ull2bfloat16_rd(unsigned long long a) {
  return __nv_bfloat16(
      __nv_bfloat16_raw{simtlab::bfloat_format::bits(simtlab::with_sticky_bit(a), simtlab_round_down)});
}
SIMTLAB_HALF unsigned long long __bfloat162ull_rn(__nv_bfloat16 a) { return __float2ull_rn(static_cast<float>(a)); }
SIMTLAB_HALF unsigned long long __bfloat162ull_rz(__nv_bfloat16 a) { return __float2ull_rz(static_cast<float>(a)); }
SIMTLAB_HALF unsigned long long __bfloat162ull_ru(__nv_bfloat16 a) { return __float2ull_ru(static_cast<float>(a)); }
SIMTLAB_HALF unsigned long long __bfloat162ull_rd(__nv_bfloat16 a) { return __float2ull_rd(static_cast<float>(a)); }

#undef SIMTLAB_HALF
#ifdef SIMTLAB_FRONT_END
#pragma clang force_cuda_host_device end
#endif
