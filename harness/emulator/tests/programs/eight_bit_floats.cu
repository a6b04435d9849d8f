// Floats of 8 bits and powers of two, bit by bit, as hashes.
#include "hashed_values.h"

#include <cuda_fp8.h>

template <>
__device__ __half_raw from<__half_raw>(word bits) {
  __half_raw raw;
  raw.x = (unsigned short)bits;
  return raw;
}
template <>
__device__ __nv_bfloat16_raw from<__nv_bfloat16_raw>(word bits) {
  __nv_bfloat16_raw raw;
  raw.x = (unsigned short)bits;
  return raw;
}
template <>
__device__ float2 from<float2>(word bits) {
  return make_float2(from<float>(bits), from<float>(bits >> 32));
}
template <>
__device__ __half2_raw from<__half2_raw>(word bits) {
  __half2_raw raw;
  raw.x = (unsigned short)bits;
  raw.y = (unsigned short)(bits >> 16);
  return raw;
}
__device__ word bitsOf(__half_raw x) { return x.x; }
__device__ word bitsOf(__half2_raw x) { return x.x | (word)x.y << 16; }
__device__ word bitsOf(__nv_bfloat16_raw x) { return x.x; }
__device__ word bitsOf(float4 x) { return bitsOf(x.x) ^ bitsOf(x.y) << 8 ^ bitsOf(x.z) << 16 ^ bitsOf(x.w) << 24; }

// To 8 bits: of both kinds, with and without saturation.
#define NARROW(name, type)                                                                        \
  struct call_##name {                                                                            \
    static __device__ word of(word a, word, word) {                                               \
      const type x = from<type>(a);                                                               \
      return (word)name(x, __NV_NOSAT, __NV_E4M3) | (word)name(x, __NV_SATFINITE, __NV_E4M3) << 16 | \
             (word)name(x, __NV_NOSAT, __NV_E5M2) << 32 | (word)name(x, __NV_SATFINITE, __NV_E5M2) << 48; \
    }                                                                                             \
  };
#define POWER(name, type)                                                                         \
  struct call_##name {                                                                            \
    static __device__ word of(word a, word, word) {                                               \
      const type x = from<type>(a);                                                               \
      return (word)name(x, __NV_NOSAT, cudaRoundZero) | (word)name(x, __NV_SATFINITE, cudaRoundZero) << 16 | \
             (word)name(x, __NV_NOSAT, cudaRoundPosInf) << 32 | (word)name(x, __NV_SATFINITE, cudaRoundPosInf) << 48; \
    }                                                                                             \
  };
NARROW(__nv_cvt_double_to_fp8, double)
NARROW(__nv_cvt_float_to_fp8, float)
NARROW(__nv_cvt_halfraw_to_fp8, __half_raw)
NARROW(__nv_cvt_bfloat16raw_to_fp8, __nv_bfloat16_raw)
NARROW(__nv_cvt_float2_to_fp8x2, float2)
NARROW(__nv_cvt_halfraw2_to_fp8x2, __half2_raw)
POWER(__nv_cvt_double_to_e8m0, double)
POWER(__nv_cvt_float_to_e8m0, float)
POWER(__nv_cvt_bfloat16raw_to_e8m0, __nv_bfloat16_raw)
POWER(__nv_cvt_float2_to_e8m0x2, float2)

#define WIDE(name, expression)                                       \
  struct call_##name {                                               \
    static __device__ word of(word a, word b, word c) { return expression; } \
  };
WIDE(__nv_cvt_fp8_to_halfraw, bitsOf(__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)a, __NV_E4M3)) |
                                  bitsOf(__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)a, __NV_E5M2)) << 16)
WIDE(__nv_cvt_fp8x2_to_halfraw2, bitsOf(__nv_cvt_fp8x2_to_halfraw2((__nv_fp8x2_storage_t)a, __NV_E4M3)) |
                                     bitsOf(__nv_cvt_fp8x2_to_halfraw2((__nv_fp8x2_storage_t)a, __NV_E5M2)) << 32)
WIDE(__nv_cvt_e8m0_to_bf16raw, bitsOf(__nv_cvt_e8m0_to_bf16raw((__nv_fp8_storage_t)a)))

template <class Small>
__device__ word integers(word a) {
  Small x;
  x.__x = (__nv_fp8_storage_t)a;
  return (word)(unsigned char)x ^ (word)(signed char)x << 8 ^ (word)(short)x << 16 ^ (word)(int)x << 20 ^
         (word)(unsigned int)x << 24 ^ (word)(long long)x << 28 ^ (word)(bool)x << 63;
}
template <class Small>
__device__ word ofIntegers(word a) {
  return (word)Small((int)a).__x | (word)Small((unsigned short)a).__x << 8 | (word)Small((long long)a >> 40).__x << 16 |
         (word)Small((short)a >> 6).__x << 24;
}
WIDE(e4m3_to_integers, integers<__nv_fp8_e4m3>(a))
WIDE(e5m2_to_integers, integers<__nv_fp8_e5m2>(a))
WIDE(e4m3_of_integers, ofIntegers<__nv_fp8_e4m3>(a))
WIDE(e5m2_of_integers, ofIntegers<__nv_fp8_e5m2>(a))
WIDE(four_e4m3, bitsOf((float4)__nv_fp8x4_e4m3(make_float4(from<float>(a), from<float>(b), from<float>(c), 1.5f))))
WIDE(four_e5m2, bitsOf((float4)__nv_fp8x4_e5m2(make_float4(from<float>(a), from<float>(b), from<float>(c), 1.5f))))
WIDE(four_e8m0, bitsOf((float4)__nv_fp8x4_e8m0(make_float4(from<float>(a), from<float>(b), from<float>(c), 1.5f))))
WIDE(__hcmadd, ([=] {
       const __half2 r = __hcmadd(__half2(from<__half2_raw>(a)), __half2(from<__half2_raw>(b)), __half2(from<__half2_raw>(c)));
       const __half x = __low2half(r), y = __high2half(r);
       return (word)(x != x ? 0x7fff : __half_as_ushort(x)) | (word)(y != y ? 0x7fff : __half_as_ushort(y)) << 16;
     }()))

// Half of the numbers lie where 8 bits have some; the low bits of each word are those of a small one, too.
static word spread(word bits) {
  if (bits >> 44 & 1) return bits << 20 ^ bits;
  const float small = ((int)(bits & 0xffff) - 0x8000) * (bits & 0x10000 ? 0.015625f : 1e-5f);
  const double of_double = small;
  word both;
  if (bits >> 45 & 1) {
    memcpy(&both, &of_double, sizeof both);
    return both;
  }
  unsigned int as_float;
  memcpy(&as_float, &small, sizeof as_float);
  return bits << 32 | as_float;
}

int main(int argc, char **argv) {
  const char *wanted = argc > 1 ? argv[1] : "";
  makeInputs(spread);
  report("__nv_cvt_double_to_fp8", wanted, callAll<call___nv_cvt_double_to_fp8>);
  report("__nv_cvt_float_to_fp8", wanted, callAll<call___nv_cvt_float_to_fp8>);
  report("__nv_cvt_halfraw_to_fp8", wanted, callAll<call___nv_cvt_halfraw_to_fp8>);
  report("__nv_cvt_bfloat16raw_to_fp8", wanted, callAll<call___nv_cvt_bfloat16raw_to_fp8>);
  report("__nv_cvt_float2_to_fp8x2", wanted, callAll<call___nv_cvt_float2_to_fp8x2>);
  report("__nv_cvt_halfraw2_to_fp8x2", wanted, callAll<call___nv_cvt_halfraw2_to_fp8x2>);
  report("__nv_cvt_double_to_e8m0", wanted, callAll<call___nv_cvt_double_to_e8m0>);
  report("__nv_cvt_float_to_e8m0", wanted, callAll<call___nv_cvt_float_to_e8m0>);
  report("__nv_cvt_bfloat16raw_to_e8m0", wanted, callAll<call___nv_cvt_bfloat16raw_to_e8m0>);
  report("__nv_cvt_float2_to_e8m0x2", wanted, callAll<call___nv_cvt_float2_to_e8m0x2>);
  report("__nv_cvt_fp8_to_halfraw", wanted, callAll<call___nv_cvt_fp8_to_halfraw>);
  report("__nv_cvt_fp8x2_to_halfraw2", wanted, callAll<call___nv_cvt_fp8x2_to_halfraw2>);
  report("__nv_cvt_e8m0_to_bf16raw", wanted, callAll<call___nv_cvt_e8m0_to_bf16raw>);
  report("e4m3_to_integers", wanted, callAll<call_e4m3_to_integers>);
  report("e5m2_to_integers", wanted, callAll<call_e5m2_to_integers>);
  report("e4m3_of_integers", wanted, callAll<call_e4m3_of_integers>);
  report("e5m2_of_integers", wanted, callAll<call_e5m2_of_integers>);
  report("four_e4m3", wanted, callAll<call_four_e4m3>);
  report("four_e5m2", wanted, callAll<call_four_e5m2>);
  report("four_e8m0", wanted, callAll<call_four_e8m0>);
  report("__hcmadd", wanted, callAll<call___hcmadd>);
  freeInputs();
  return 0;
}
