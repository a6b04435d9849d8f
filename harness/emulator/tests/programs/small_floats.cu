// Half precision and bfloat16 bit by bit, as hashes.
#include "hashed_values.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

__device__ word bitsOf(__half x) { return x != x ? 0x7fff : __half_as_ushort(x); }
__device__ word bitsOf(__nv_bfloat16 x) { return x != x ? 0x7fff : __bfloat16_as_ushort(x); }
__device__ word bitsOf(__half2 x) { return bitsOf(__low2half(x)) | bitsOf(__high2half(x)) << 16; }
__device__ word bitsOf(__nv_bfloat162 x) { return bitsOf(__low2bfloat16(x)) | bitsOf(__high2bfloat16(x)) << 16; }

template <>
__device__ __half from<__half>(word bits) {
  return __ushort_as_half((unsigned short)bits);
}
template <>
__device__ __nv_bfloat16 from<__nv_bfloat16>(word bits) {
  return __ushort_as_bfloat16((unsigned short)bits);
}
template <>
__device__ __half2 from<__half2>(word bits) {
  return __halves2half2(from<__half>(bits), from<__half>(bits >> 16));
}
template <>
__device__ __nv_bfloat162 from<__nv_bfloat162>(word bits) {
  return __halves2bfloat162(from<__nv_bfloat16>(bits), from<__nv_bfloat16>(bits >> 16));
}

#define OF_ONE(name, type)                                                                 \
  struct call_##name {                                                                     \
    static __device__ word of(word a, word, word) { return bitsOf(name(from<type>(a))); }  \
  };
#define ONE(name)                                                                                                  \
  template <class T>                                                                                               \
  struct call_##name {                                                                                             \
    static __device__ word of(word a, word, word) { return bitsOf(name(from<T>(a))); }                             \
  };
#define TWO(name)                                                                                                  \
  template <class T>                                                                                               \
  struct call_##name {                                                                                             \
    static __device__ word of(word a, word b, word) { return bitsOf(name(from<T>(a), from<T>(b))); }               \
  };
#define THREE(name)                                                                                                \
  template <class T>                                                                                               \
  struct call_##name {                                                                                             \
    static __device__ word of(word a, word b, word c) { return bitsOf(name(from<T>(a), from<T>(b), from<T>(c))); } \
  };

OF_ONE(__float2half_rn, float)
OF_ONE(__int2half_rn, int)
OF_ONE(__half2int_rn, __half)
OF_ONE(__uint2half_rn, unsigned int)
OF_ONE(__half2uint_rn, __half)
OF_ONE(__short2half_rn, short)
OF_ONE(__half2short_rn, __half)
OF_ONE(__ushort2half_rn, unsigned short)
OF_ONE(__half2ushort_rn, __half)
OF_ONE(__ll2half_rn, long long)
OF_ONE(__half2ll_rn, __half)
OF_ONE(__ull2half_rn, unsigned long long)
OF_ONE(__half2ull_rn, __half)
OF_ONE(__float2half_rz, float)
OF_ONE(__int2half_rz, int)
OF_ONE(__half2int_rz, __half)
OF_ONE(__uint2half_rz, unsigned int)
OF_ONE(__half2uint_rz, __half)
OF_ONE(__short2half_rz, short)
OF_ONE(__half2short_rz, __half)
OF_ONE(__ushort2half_rz, unsigned short)
OF_ONE(__half2ushort_rz, __half)
OF_ONE(__ll2half_rz, long long)
OF_ONE(__half2ll_rz, __half)
OF_ONE(__ull2half_rz, unsigned long long)
OF_ONE(__half2ull_rz, __half)
OF_ONE(__float2half_ru, float)
OF_ONE(__int2half_ru, int)
OF_ONE(__half2int_ru, __half)
OF_ONE(__uint2half_ru, unsigned int)
OF_ONE(__half2uint_ru, __half)
OF_ONE(__short2half_ru, short)
OF_ONE(__half2short_ru, __half)
OF_ONE(__ushort2half_ru, unsigned short)
OF_ONE(__half2ushort_ru, __half)
OF_ONE(__ll2half_ru, long long)
OF_ONE(__half2ll_ru, __half)
OF_ONE(__ull2half_ru, unsigned long long)
OF_ONE(__half2ull_ru, __half)
OF_ONE(__float2half_rd, float)
OF_ONE(__int2half_rd, int)
OF_ONE(__half2int_rd, __half)
OF_ONE(__uint2half_rd, unsigned int)
OF_ONE(__half2uint_rd, __half)
OF_ONE(__short2half_rd, short)
OF_ONE(__half2short_rd, __half)
OF_ONE(__ushort2half_rd, unsigned short)
OF_ONE(__half2ushort_rd, __half)
OF_ONE(__ll2half_rd, long long)
OF_ONE(__half2ll_rd, __half)
OF_ONE(__ull2half_rd, unsigned long long)
OF_ONE(__half2ull_rd, __half)
OF_ONE(__double2half, double)
OF_ONE(__half2float, __half)
OF_ONE(__float2bfloat16_rn, float)
OF_ONE(__int2bfloat16_rn, int)
OF_ONE(__bfloat162int_rn, __nv_bfloat16)
OF_ONE(__uint2bfloat16_rn, unsigned int)
OF_ONE(__bfloat162uint_rn, __nv_bfloat16)
OF_ONE(__short2bfloat16_rn, short)
OF_ONE(__bfloat162short_rn, __nv_bfloat16)
OF_ONE(__ushort2bfloat16_rn, unsigned short)
OF_ONE(__bfloat162ushort_rn, __nv_bfloat16)
OF_ONE(__ll2bfloat16_rn, long long)
OF_ONE(__bfloat162ll_rn, __nv_bfloat16)
OF_ONE(__ull2bfloat16_rn, unsigned long long)
OF_ONE(__bfloat162ull_rn, __nv_bfloat16)
OF_ONE(__float2bfloat16_rz, float)
OF_ONE(__int2bfloat16_rz, int)
OF_ONE(__bfloat162int_rz, __nv_bfloat16)
OF_ONE(__uint2bfloat16_rz, unsigned int)
OF_ONE(__bfloat162uint_rz, __nv_bfloat16)
OF_ONE(__short2bfloat16_rz, short)
OF_ONE(__bfloat162short_rz, __nv_bfloat16)
OF_ONE(__ushort2bfloat16_rz, unsigned short)
OF_ONE(__bfloat162ushort_rz, __nv_bfloat16)
OF_ONE(__ll2bfloat16_rz, long long)
OF_ONE(__bfloat162ll_rz, __nv_bfloat16)
OF_ONE(__ull2bfloat16_rz, unsigned long long)
OF_ONE(__bfloat162ull_rz, __nv_bfloat16)
OF_ONE(__float2bfloat16_ru, float)
OF_ONE(__int2bfloat16_ru, int)
OF_ONE(__bfloat162int_ru, __nv_bfloat16)
OF_ONE(__uint2bfloat16_ru, unsigned int)
OF_ONE(__bfloat162uint_ru, __nv_bfloat16)
OF_ONE(__short2bfloat16_ru, short)
OF_ONE(__bfloat162short_ru, __nv_bfloat16)
OF_ONE(__ushort2bfloat16_ru, unsigned short)
OF_ONE(__bfloat162ushort_ru, __nv_bfloat16)
OF_ONE(__ll2bfloat16_ru, long long)
OF_ONE(__bfloat162ll_ru, __nv_bfloat16)
OF_ONE(__ull2bfloat16_ru, unsigned long long)
OF_ONE(__bfloat162ull_ru, __nv_bfloat16)
OF_ONE(__float2bfloat16_rd, float)
OF_ONE(__int2bfloat16_rd, int)
OF_ONE(__bfloat162int_rd, __nv_bfloat16)
OF_ONE(__uint2bfloat16_rd, unsigned int)
OF_ONE(__bfloat162uint_rd, __nv_bfloat16)
OF_ONE(__short2bfloat16_rd, short)
OF_ONE(__bfloat162short_rd, __nv_bfloat16)
OF_ONE(__ushort2bfloat16_rd, unsigned short)
OF_ONE(__bfloat162ushort_rd, __nv_bfloat16)
OF_ONE(__ll2bfloat16_rd, long long)
OF_ONE(__bfloat162ll_rd, __nv_bfloat16)
OF_ONE(__ull2bfloat16_rd, unsigned long long)
OF_ONE(__bfloat162ull_rd, __nv_bfloat16)
OF_ONE(__double2bfloat16, double)
OF_ONE(__bfloat162float, __nv_bfloat16)
TWO(__hadd)
TWO(__hadd_rn)
TWO(__hadd_sat)
TWO(__hsub)
TWO(__hsub_rn)
TWO(__hsub_sat)
TWO(__hmul)
TWO(__hmul_rn)
TWO(__hmul_sat)
TWO(__hdiv)
THREE(__hfma)
THREE(__hfma_sat)
THREE(__hfma_relu)
ONE(__hneg)
ONE(__habs)
TWO(__hmax)
TWO(__hmin)
TWO(__hmax_nan)
TWO(__hmin_nan)
ONE(__hisnan)
ONE(__hisinf)
TWO(__hlt)
TWO(__hltu)
TWO(__hgt)
TWO(__hgtu)
TWO(__hle)
TWO(__hleu)
TWO(__hge)
TWO(__hgeu)
TWO(__heq)
TWO(__hequ)
TWO(__hne)
TWO(__hneu)
ONE(hsqrt)
ONE(hfloor)
ONE(hceil)
ONE(htrunc)
ONE(hrint)
TWO(__hadd2)
TWO(__hadd2_rn)
TWO(__hadd2_sat)
TWO(__hsub2)
TWO(__hsub2_rn)
TWO(__hsub2_sat)
TWO(__hmul2)
TWO(__hmul2_rn)
TWO(__hmul2_sat)
TWO(__h2div)
THREE(__hfma2)
THREE(__hfma2_sat)
THREE(__hfma2_relu)
ONE(__hneg2)
ONE(__habs2)
TWO(__hmax2)
TWO(__hmin2)
TWO(__hmax2_nan)
TWO(__hmin2_nan)
ONE(__hisnan2)
ONE(__lowhigh2highlow)
ONE(__low2float)
ONE(__high2float)
TWO(__hlt2)
TWO(__hblt2)
TWO(__hlt2_mask)
TWO(__hltu2)
TWO(__hbltu2)
TWO(__hltu2_mask)
TWO(__hgt2)
TWO(__hbgt2)
TWO(__hgt2_mask)
TWO(__hgtu2)
TWO(__hbgtu2)
TWO(__hgtu2_mask)
TWO(__hle2)
TWO(__hble2)
TWO(__hle2_mask)
TWO(__hleu2)
TWO(__hbleu2)
TWO(__hleu2_mask)
TWO(__hge2)
TWO(__hbge2)
TWO(__hge2_mask)
TWO(__hgeu2)
TWO(__hbgeu2)
TWO(__hgeu2_mask)
TWO(__heq2)
TWO(__hbeq2)
TWO(__heq2_mask)
TWO(__hequ2)
TWO(__hbequ2)
TWO(__hequ2_mask)
TWO(__hne2)
TWO(__hbne2)
TWO(__hne2_mask)
TWO(__hneu2)
TWO(__hbneu2)
TWO(__hneu2_mask)
ONE(h2sqrt)
ONE(h2floor)
ONE(h2ceil)
ONE(h2trunc)
ONE(h2rint)

// The operators, no sum of a product among them: nvcc may round that once.
template <class T>
struct call_operators {
  static __device__ word of(word x, word y, word z) {
    const T a = from<T>(x), b = from<T>(y), c = from<T>(z);
    T sum = a, difference = a, product = b, quotient = c;
    sum += b;
    difference -= c;
    product *= c;
    quotient /= a;
    word result = bitsOf(sum) ^ bitsOf(difference) * 3 ^ bitsOf(product) * 5 ^ bitsOf(quotient) * 7;
    result = result * 3 + bitsOf(a + c) + 5 * bitsOf(b - a) + 9 * bitsOf(a * c) + 17 * bitsOf(b / c) + 31 * bitsOf(-a);
    result += (a < b) + 2 * (a <= b) + 4 * (a > b) + 8 * (a >= b) + 16 * (a == c) + 32 * (a != c);
    return result;
  }
};

word smallBits(word x) {
  const word low = x & 0xffffffffu;
  switch (x >> 32 & 7) {
    case 0: return low & 0x83ff83ffu;
    case 1: return (low & 0x83ff83ffu) | 0x3c003c00u;
    case 2: return (low & 0x8fff8fffu) | 0x30003000u;
    case 3: return (low & 0x80ff80ffu) | 0x3f003f00u;
    case 4: return (low & 0x83ff83ffu) | 0x78007800u;
    case 5: return (low & 0x80018001u) | ((low & 2) != 0 ? 0x7c007c00u : (low & 4) != 0 ? 0x7f807f80u : 0u);
    default: return low;
  }
}
// Near what the small formats have: ties, and what is next to them.
word floatBits(word x) {
  const unsigned int low = (unsigned int)x;
  switch (x >> 32 & 7) {
    case 0: return low;
    case 1: return (low & 0x8fffe001u) | 0x30000000u;
    case 2: return (low & 0x8ffff000u) | 0x30000000u;
    case 3: return (low & 0xffff8000u);
    case 4: return (low & 0xffff0001u);
    case 5: return (low & 0x80ffffffu) | 0x33000000u;
    case 6: return (low & 0x80ffffffu) | 0x47000000u;
    default: return low & 0x80ffffffu;
  }
}
word doubleBits(word x) {
  const word single = floatBits(x);
  if ((single & 0x7f800000u) == 0 || (single & 0x7f800000u) == 0x7f800000u) return x * 0x9e3779b97f4a7c15ull;
  return (single & 0x80000000u) << 32 | ((single >> 23 & 0xff) + 896) << 52 | (single & 0x7fffffu) << 29 | (x >> 36 & 1);
}
word integerBits(word x) {
  const word wide = x * 0x9e3779b97f4a7c15ull;
  switch (x & 7) {
    case 0: return wide >> (x >> 3 & 63);
    case 1: return (word)((long long)wide >> (x >> 3 & 63));
    case 2: return 1ull << (x >> 3 & 63);
    case 3: return (wide | 1ull << 63) >> (x >> 3 & 63) & (0x1ffull << 55 | (wide & 1) | 0x8080);
    default: return wide >> 48;
  }
}

template <class T, class T2>
void reportType(const char *wanted) {
  report("__hadd", wanted, callAll<call___hadd<T>>);
  report("__hadd_rn", wanted, callAll<call___hadd_rn<T>>);
  report("__hadd_sat", wanted, callAll<call___hadd_sat<T>>);
  report("__hsub", wanted, callAll<call___hsub<T>>);
  report("__hsub_rn", wanted, callAll<call___hsub_rn<T>>);
  report("__hsub_sat", wanted, callAll<call___hsub_sat<T>>);
  report("__hmul", wanted, callAll<call___hmul<T>>);
  report("__hmul_rn", wanted, callAll<call___hmul_rn<T>>);
  report("__hmul_sat", wanted, callAll<call___hmul_sat<T>>);
  report("__hdiv", wanted, callAll<call___hdiv<T>>);
  report("__hfma", wanted, callAll<call___hfma<T>>);
  report("__hfma_sat", wanted, callAll<call___hfma_sat<T>>);
  report("__hfma_relu", wanted, callAll<call___hfma_relu<T>>);
  report("__hneg", wanted, callAll<call___hneg<T>>);
  report("__habs", wanted, callAll<call___habs<T>>);
  report("__hmax", wanted, callAll<call___hmax<T>>);
  report("__hmin", wanted, callAll<call___hmin<T>>);
  report("__hmax_nan", wanted, callAll<call___hmax_nan<T>>);
  report("__hmin_nan", wanted, callAll<call___hmin_nan<T>>);
  report("__hisnan", wanted, callAll<call___hisnan<T>>);
  report("__hisinf", wanted, callAll<call___hisinf<T>>);
  report("__hlt", wanted, callAll<call___hlt<T>>);
  report("__hltu", wanted, callAll<call___hltu<T>>);
  report("__hgt", wanted, callAll<call___hgt<T>>);
  report("__hgtu", wanted, callAll<call___hgtu<T>>);
  report("__hle", wanted, callAll<call___hle<T>>);
  report("__hleu", wanted, callAll<call___hleu<T>>);
  report("__hge", wanted, callAll<call___hge<T>>);
  report("__hgeu", wanted, callAll<call___hgeu<T>>);
  report("__heq", wanted, callAll<call___heq<T>>);
  report("__hequ", wanted, callAll<call___hequ<T>>);
  report("__hne", wanted, callAll<call___hne<T>>);
  report("__hneu", wanted, callAll<call___hneu<T>>);
  report("hsqrt", wanted, callAll<call_hsqrt<T>>);
  report("hfloor", wanted, callAll<call_hfloor<T>>);
  report("hceil", wanted, callAll<call_hceil<T>>);
  report("htrunc", wanted, callAll<call_htrunc<T>>);
  report("hrint", wanted, callAll<call_hrint<T>>);
  report("operators", wanted, callAll<call_operators<T>>);
  report("__hadd2", wanted, callAll<call___hadd2<T2>>);
  report("__hadd2_rn", wanted, callAll<call___hadd2_rn<T2>>);
  report("__hadd2_sat", wanted, callAll<call___hadd2_sat<T2>>);
  report("__hsub2", wanted, callAll<call___hsub2<T2>>);
  report("__hsub2_rn", wanted, callAll<call___hsub2_rn<T2>>);
  report("__hsub2_sat", wanted, callAll<call___hsub2_sat<T2>>);
  report("__hmul2", wanted, callAll<call___hmul2<T2>>);
  report("__hmul2_rn", wanted, callAll<call___hmul2_rn<T2>>);
  report("__hmul2_sat", wanted, callAll<call___hmul2_sat<T2>>);
  report("__h2div", wanted, callAll<call___h2div<T2>>);
  report("__hfma2", wanted, callAll<call___hfma2<T2>>);
  report("__hfma2_sat", wanted, callAll<call___hfma2_sat<T2>>);
  report("__hfma2_relu", wanted, callAll<call___hfma2_relu<T2>>);
  report("__hneg2", wanted, callAll<call___hneg2<T2>>);
  report("__habs2", wanted, callAll<call___habs2<T2>>);
  report("__hmax2", wanted, callAll<call___hmax2<T2>>);
  report("__hmin2", wanted, callAll<call___hmin2<T2>>);
  report("__hmax2_nan", wanted, callAll<call___hmax2_nan<T2>>);
  report("__hmin2_nan", wanted, callAll<call___hmin2_nan<T2>>);
  report("__hisnan2", wanted, callAll<call___hisnan2<T2>>);
  report("__lowhigh2highlow", wanted, callAll<call___lowhigh2highlow<T2>>);
  report("__low2float", wanted, callAll<call___low2float<T2>>);
  report("__high2float", wanted, callAll<call___high2float<T2>>);
  report("__hlt2", wanted, callAll<call___hlt2<T2>>);
  report("__hblt2", wanted, callAll<call___hblt2<T2>>);
  report("__hlt2_mask", wanted, callAll<call___hlt2_mask<T2>>);
  report("__hltu2", wanted, callAll<call___hltu2<T2>>);
  report("__hbltu2", wanted, callAll<call___hbltu2<T2>>);
  report("__hltu2_mask", wanted, callAll<call___hltu2_mask<T2>>);
  report("__hgt2", wanted, callAll<call___hgt2<T2>>);
  report("__hbgt2", wanted, callAll<call___hbgt2<T2>>);
  report("__hgt2_mask", wanted, callAll<call___hgt2_mask<T2>>);
  report("__hgtu2", wanted, callAll<call___hgtu2<T2>>);
  report("__hbgtu2", wanted, callAll<call___hbgtu2<T2>>);
  report("__hgtu2_mask", wanted, callAll<call___hgtu2_mask<T2>>);
  report("__hle2", wanted, callAll<call___hle2<T2>>);
  report("__hble2", wanted, callAll<call___hble2<T2>>);
  report("__hle2_mask", wanted, callAll<call___hle2_mask<T2>>);
  report("__hleu2", wanted, callAll<call___hleu2<T2>>);
  report("__hbleu2", wanted, callAll<call___hbleu2<T2>>);
  report("__hleu2_mask", wanted, callAll<call___hleu2_mask<T2>>);
  report("__hge2", wanted, callAll<call___hge2<T2>>);
  report("__hbge2", wanted, callAll<call___hbge2<T2>>);
  report("__hge2_mask", wanted, callAll<call___hge2_mask<T2>>);
  report("__hgeu2", wanted, callAll<call___hgeu2<T2>>);
  report("__hbgeu2", wanted, callAll<call___hbgeu2<T2>>);
  report("__hgeu2_mask", wanted, callAll<call___hgeu2_mask<T2>>);
  report("__heq2", wanted, callAll<call___heq2<T2>>);
  report("__hbeq2", wanted, callAll<call___hbeq2<T2>>);
  report("__heq2_mask", wanted, callAll<call___heq2_mask<T2>>);
  report("__hequ2", wanted, callAll<call___hequ2<T2>>);
  report("__hbequ2", wanted, callAll<call___hbequ2<T2>>);
  report("__hequ2_mask", wanted, callAll<call___hequ2_mask<T2>>);
  report("__hne2", wanted, callAll<call___hne2<T2>>);
  report("__hbne2", wanted, callAll<call___hbne2<T2>>);
  report("__hne2_mask", wanted, callAll<call___hne2_mask<T2>>);
  report("__hneu2", wanted, callAll<call___hneu2<T2>>);
  report("__hbneu2", wanted, callAll<call___hbneu2<T2>>);
  report("__hneu2_mask", wanted, callAll<call___hneu2_mask<T2>>);
  report("h2sqrt", wanted, callAll<call_h2sqrt<T2>>);
  report("h2floor", wanted, callAll<call_h2floor<T2>>);
  report("h2ceil", wanted, callAll<call_h2ceil<T2>>);
  report("h2trunc", wanted, callAll<call_h2trunc<T2>>);
  report("h2rint", wanted, callAll<call_h2rint<T2>>);
}

int main(int argc, char **argv) {
  const char *wanted = argc > 1 ? argv[1] : "";
  makeInputs(floatBits);
  report("__float2half_rn", wanted, callAll<call___float2half_rn>);
  report("__float2half_rz", wanted, callAll<call___float2half_rz>);
  report("__float2half_ru", wanted, callAll<call___float2half_ru>);
  report("__float2half_rd", wanted, callAll<call___float2half_rd>);
  report("__float2bfloat16_rn", wanted, callAll<call___float2bfloat16_rn>);
  report("__float2bfloat16_rz", wanted, callAll<call___float2bfloat16_rz>);
  report("__float2bfloat16_ru", wanted, callAll<call___float2bfloat16_ru>);
  report("__float2bfloat16_rd", wanted, callAll<call___float2bfloat16_rd>);
  freeInputs();
  makeInputs(doubleBits);
  report("__double2half", wanted, callAll<call___double2half>);
  report("__double2bfloat16", wanted, callAll<call___double2bfloat16>);
  freeInputs();
  makeInputs(integerBits);
  report("__int2half_rn", wanted, callAll<call___int2half_rn>);
  report("__uint2half_rn", wanted, callAll<call___uint2half_rn>);
  report("__short2half_rn", wanted, callAll<call___short2half_rn>);
  report("__ushort2half_rn", wanted, callAll<call___ushort2half_rn>);
  report("__ll2half_rn", wanted, callAll<call___ll2half_rn>);
  report("__ull2half_rn", wanted, callAll<call___ull2half_rn>);
  report("__int2half_rz", wanted, callAll<call___int2half_rz>);
  report("__uint2half_rz", wanted, callAll<call___uint2half_rz>);
  report("__short2half_rz", wanted, callAll<call___short2half_rz>);
  report("__ushort2half_rz", wanted, callAll<call___ushort2half_rz>);
  report("__ll2half_rz", wanted, callAll<call___ll2half_rz>);
  report("__ull2half_rz", wanted, callAll<call___ull2half_rz>);
  report("__int2half_ru", wanted, callAll<call___int2half_ru>);
  report("__uint2half_ru", wanted, callAll<call___uint2half_ru>);
  report("__short2half_ru", wanted, callAll<call___short2half_ru>);
  report("__ushort2half_ru", wanted, callAll<call___ushort2half_ru>);
  report("__ll2half_ru", wanted, callAll<call___ll2half_ru>);
  report("__ull2half_ru", wanted, callAll<call___ull2half_ru>);
  report("__int2half_rd", wanted, callAll<call___int2half_rd>);
  report("__uint2half_rd", wanted, callAll<call___uint2half_rd>);
  report("__short2half_rd", wanted, callAll<call___short2half_rd>);
  report("__ushort2half_rd", wanted, callAll<call___ushort2half_rd>);
  report("__ll2half_rd", wanted, callAll<call___ll2half_rd>);
  report("__ull2half_rd", wanted, callAll<call___ull2half_rd>);
  report("__int2bfloat16_rn", wanted, callAll<call___int2bfloat16_rn>);
  report("__uint2bfloat16_rn", wanted, callAll<call___uint2bfloat16_rn>);
  report("__short2bfloat16_rn", wanted, callAll<call___short2bfloat16_rn>);
  report("__ushort2bfloat16_rn", wanted, callAll<call___ushort2bfloat16_rn>);
  report("__ll2bfloat16_rn", wanted, callAll<call___ll2bfloat16_rn>);
  report("__ull2bfloat16_rn", wanted, callAll<call___ull2bfloat16_rn>);
  report("__int2bfloat16_rz", wanted, callAll<call___int2bfloat16_rz>);
  report("__uint2bfloat16_rz", wanted, callAll<call___uint2bfloat16_rz>);
  report("__short2bfloat16_rz", wanted, callAll<call___short2bfloat16_rz>);
  report("__ushort2bfloat16_rz", wanted, callAll<call___ushort2bfloat16_rz>);
  report("__ll2bfloat16_rz", wanted, callAll<call___ll2bfloat16_rz>);
  report("__ull2bfloat16_rz", wanted, callAll<call___ull2bfloat16_rz>);
  report("__int2bfloat16_ru", wanted, callAll<call___int2bfloat16_ru>);
  report("__uint2bfloat16_ru", wanted, callAll<call___uint2bfloat16_ru>);
  report("__short2bfloat16_ru", wanted, callAll<call___short2bfloat16_ru>);
  report("__ushort2bfloat16_ru", wanted, callAll<call___ushort2bfloat16_ru>);
  report("__ll2bfloat16_ru", wanted, callAll<call___ll2bfloat16_ru>);
  report("__ull2bfloat16_ru", wanted, callAll<call___ull2bfloat16_ru>);
  report("__int2bfloat16_rd", wanted, callAll<call___int2bfloat16_rd>);
  report("__uint2bfloat16_rd", wanted, callAll<call___uint2bfloat16_rd>);
  report("__short2bfloat16_rd", wanted, callAll<call___short2bfloat16_rd>);
  report("__ushort2bfloat16_rd", wanted, callAll<call___ushort2bfloat16_rd>);
  report("__ll2bfloat16_rd", wanted, callAll<call___ll2bfloat16_rd>);
  report("__ull2bfloat16_rd", wanted, callAll<call___ull2bfloat16_rd>);
  freeInputs();
  makeInputs(smallBits);
  report("__half2int_rn", wanted, callAll<call___half2int_rn>);
  report("__half2uint_rn", wanted, callAll<call___half2uint_rn>);
  report("__half2short_rn", wanted, callAll<call___half2short_rn>);
  report("__half2ushort_rn", wanted, callAll<call___half2ushort_rn>);
  report("__half2ll_rn", wanted, callAll<call___half2ll_rn>);
  report("__half2ull_rn", wanted, callAll<call___half2ull_rn>);
  report("__half2int_rz", wanted, callAll<call___half2int_rz>);
  report("__half2uint_rz", wanted, callAll<call___half2uint_rz>);
  report("__half2short_rz", wanted, callAll<call___half2short_rz>);
  report("__half2ushort_rz", wanted, callAll<call___half2ushort_rz>);
  report("__half2ll_rz", wanted, callAll<call___half2ll_rz>);
  report("__half2ull_rz", wanted, callAll<call___half2ull_rz>);
  report("__half2int_ru", wanted, callAll<call___half2int_ru>);
  report("__half2uint_ru", wanted, callAll<call___half2uint_ru>);
  report("__half2short_ru", wanted, callAll<call___half2short_ru>);
  report("__half2ushort_ru", wanted, callAll<call___half2ushort_ru>);
  report("__half2ll_ru", wanted, callAll<call___half2ll_ru>);
  report("__half2ull_ru", wanted, callAll<call___half2ull_ru>);
  report("__half2int_rd", wanted, callAll<call___half2int_rd>);
  report("__half2uint_rd", wanted, callAll<call___half2uint_rd>);
  report("__half2short_rd", wanted, callAll<call___half2short_rd>);
  report("__half2ushort_rd", wanted, callAll<call___half2ushort_rd>);
  report("__half2ll_rd", wanted, callAll<call___half2ll_rd>);
  report("__half2ull_rd", wanted, callAll<call___half2ull_rd>);
  report("__half2float", wanted, callAll<call___half2float>);
  report("__bfloat162int_rn", wanted, callAll<call___bfloat162int_rn>);
  report("__bfloat162uint_rn", wanted, callAll<call___bfloat162uint_rn>);
  report("__bfloat162short_rn", wanted, callAll<call___bfloat162short_rn>);
  report("__bfloat162ushort_rn", wanted, callAll<call___bfloat162ushort_rn>);
  report("__bfloat162ll_rn", wanted, callAll<call___bfloat162ll_rn>);
  report("__bfloat162ull_rn", wanted, callAll<call___bfloat162ull_rn>);
  report("__bfloat162int_rz", wanted, callAll<call___bfloat162int_rz>);
  report("__bfloat162uint_rz", wanted, callAll<call___bfloat162uint_rz>);
  report("__bfloat162short_rz", wanted, callAll<call___bfloat162short_rz>);
  report("__bfloat162ushort_rz", wanted, callAll<call___bfloat162ushort_rz>);
  report("__bfloat162ll_rz", wanted, callAll<call___bfloat162ll_rz>);
  report("__bfloat162ull_rz", wanted, callAll<call___bfloat162ull_rz>);
  report("__bfloat162int_ru", wanted, callAll<call___bfloat162int_ru>);
  report("__bfloat162uint_ru", wanted, callAll<call___bfloat162uint_ru>);
  report("__bfloat162short_ru", wanted, callAll<call___bfloat162short_ru>);
  report("__bfloat162ushort_ru", wanted, callAll<call___bfloat162ushort_ru>);
  report("__bfloat162ll_ru", wanted, callAll<call___bfloat162ll_ru>);
  report("__bfloat162ull_ru", wanted, callAll<call___bfloat162ull_ru>);
  report("__bfloat162int_rd", wanted, callAll<call___bfloat162int_rd>);
  report("__bfloat162uint_rd", wanted, callAll<call___bfloat162uint_rd>);
  report("__bfloat162short_rd", wanted, callAll<call___bfloat162short_rd>);
  report("__bfloat162ushort_rd", wanted, callAll<call___bfloat162ushort_rd>);
  report("__bfloat162ll_rd", wanted, callAll<call___bfloat162ll_rd>);
  report("__bfloat162ull_rd", wanted, callAll<call___bfloat162ull_rd>);
  report("__bfloat162float", wanted, callAll<call___bfloat162float>);
  printf("half\n");
  reportType<__half, __half2>(wanted);
  printf("bfloat16\n");
  reportType<__nv_bfloat16, __nv_bfloat162>(wanted);
  freeInputs();
  return 0;
}
