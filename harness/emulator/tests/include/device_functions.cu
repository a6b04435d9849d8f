// Every function that the headers declare for device code is compiled, and gives the value that CUDA documents.
// The program is plain CUDA: built with nvcc it says the same on a GPU.
#include <cuComplex.h>
#include <cuda.h>
#include <cuda_fp16.h>
#include <cuda_profiler_api.h>
#include <math_constants.h>

#include <cmath>
#include <cstdio>

__device__ int failures;

#define EXPECT(condition)                                                    \
  do {                                                                       \
    if (!(condition)) {                                                      \
      printf("line %d, thread %u: %s\n", __LINE__, threadIdx.x, #condition); \
      atomicAdd(&failures, 1);                                               \
    }                                                                        \
  } while (0)

__device__ bool near(double a, double b) { return fabs(a - b) <= 1e-6 * fabs(b) + 1e-12; }

__global__ void integers() {
  EXPECT(__popc(0xf0f0u) == 8 && __popcll(~0ull) == 64);
  EXPECT(__clz(0) == 32 && __clz(1) == 31 && __clz(-1) == 0 && __clzll(1) == 63 && __clzll(0) == 64);
  EXPECT(__ffs(0) == 0 && __ffs(8) == 4 && __ffsll(1ll << 40) == 41);
  EXPECT(__brev(1u) == 0x80000000u && __brev(0x12345678u) == 0x1e6a2c48u && __brevll(1ull) == 1ull << 63);
  EXPECT(__mul24(3, -4) == -12 && __umul24(0x1000001u, 2) == 2);
  EXPECT(__mulhi(1 << 30, 8) == 2 && __mulhi(-1, 1) == -1 && __umulhi(~0u, 2) == 1);
  EXPECT(__mul64hi(1ll << 62, 8) == 2 && __umul64hi(~0ull, 2) == 1);
  EXPECT(__hadd(3, 4) == 3 && __rhadd(3, 4) == 4 && __uhadd(~0u, ~0u) == ~0u && __urhadd(1, 2) == 2);
  EXPECT(__sad(3, -4, 1) == 8 && __usad(3, 10, 1) == 8);
  EXPECT(__byte_perm(0x03020100, 0x07060504, 0x6420) == 0x06040200);
  EXPECT(__funnelshift_l(0x80000000u, 1u, 1) == 3u && __funnelshift_r(1u, 1u, 1) == 0x80000000u);
  EXPECT(__dp4a(0x01010101, 0x01020304, 5) == 15 && __dp4a(0xffffffffu, 0x01010101u, 0u) == 1020u &&
         __dp4a(-1, 0x01010101, 0) == -4);
}

__global__ void extremes() {
  EXPECT(min(3, -4) == -4 && max(3, -4) == 3 && min(3u, 4u) == 3u && max(3, 4u) == 4u && min(-1, 1u) == 1u);
  EXPECT(min(3l, 4l) == 3 && max(3ll, 4ll) == 4 && min(3ull, 4ull) == 3 && max(size_t(3), size_t(4)) == 4);
  EXPECT(min(1.5f, 2.5f) == 1.5f && max(1.5f, 2.5) == 2.5 && max(1.5, 2.5f) == 2.5 && min(nanf(""), 1.0f) == 1.0f);
  EXPECT(fminf(1, 2) == 1 && fmax(1.0, 2.0) == 2 && umin(1, 2) == 1 && llmax(1, 2) == 2 && abs(-3) == 3 &&
         fabsf(-3) == 3);
}

__global__ void mathematics() {
  EXPECT(near(__sinf(1), sin(1.0f)) && near(__cosf(1), cos(1.0f)) && near(__tanf(1), tan(1.0f)) &&
         near(__expf(1), exp(1.0f)));
  EXPECT(near(__exp10f(2), 100) && near(__logf(2), log(2.0f)) && near(__log2f(8), 3) && near(__log10f(100), 2) &&
         near(__powf(2, 10), 1024));
  float s, c;
  __sincosf(0.5f, &s, &c);
  EXPECT(near(s, sinf(0.5f)) && near(c, cosf(0.5f)));
  sincospif(0.5f, &s, &c);
  EXPECT(near(s, 1) && fabsf(c) < 1e-6f);
  EXPECT(__fdividef(1, 4) == 0.25f && fdividef(1, 4) == 0.25f && __saturatef(-1) == 0 && __saturatef(2) == 1 &&
         __saturatef(nanf("")) == 0);
  EXPECT(rsqrtf(4) == 0.5f && rsqrt(4.0) == 0.5 && near(rcbrtf(8), 0.5) && near(rhypotf(3, 4), 0.2) &&
         norm3df(2, 3, 6) == 7 && norm4df(1, 1, 1, 1) == 2);
  EXPECT(near(sinpif(0.5f), 1) && near(cospi(1.0), -1) && near(normcdf(0.0), 0.5) && near(normcdf(0.0f), 0.5) &&
         near(erfcx(0.0), 1) && near(sinpi(0.5f), 1) && near(exp10f(2), 100));
  EXPECT(__fadd_rn(1, 2) == 3 && __fsub_rn(1, 2) == -1 && __fmul_rn(2, 3) == 6 && __fdiv_rn(1, 2) == 0.5f &&
         __frcp_rn(4) == 0.25f);
  EXPECT(__fsqrt_rn(9) == 3 && __frsqrt_rn(4) == 0.5f && __fmaf_rn(2, 3, 4) == 10 && __dadd_rn(1, 2) == 3 &&
         __fma_rn(2, 3, 4) == 10 && __dsqrt_rn(9) == 3);
  EXPECT(near(CUDART_PI_F, acos(-1.0)) && CUDART_INF > 1 && CUDART_PI > 3);
}

__global__ void conversions() {
  EXPECT(__float2int_rn(2.5f) == 2 && __float2int_rz(-2.7f) == -2 && __float2int_ru(2.1f) == 3 &&
         __float2int_rd(-2.1f) == -3);
  EXPECT(__float2int_rn(3e9f) == 2147483647 && __float2int_rz(-3e9f) == -2147483647 - 1 &&
         __float2int_rn(nanf("")) == 0);
  EXPECT(__float2uint_rn(-1) == 0 && __float2uint_rz(5e9f) == ~0u && __double2int_rn(3.5) == 4 &&
         __float2ll_rz(1e18f) == (long long)1e18f);
  EXPECT(__double2ull_rn(-5) == 0 && __double2uint_rd(7.9) == 7 && __double2ll_ru(1.1) == 2);
  EXPECT(__int2float_rn(3) == 3 && __uint2float_rn(3u) == 3 && __ll2float_rn(3) == 3 && __int2double_rn(3) == 3 &&
         __double2float_rn(0.5) == 0.5f);
  EXPECT(__float_as_int(1.0f) == 0x3f800000 && __int_as_float(0x40000000) == 2 &&
         __float_as_uint(-0.0f) == 0x80000000u && __uint_as_float(0) == 0);
  EXPECT(__longlong_as_double(__double_as_longlong(2.5)) == 2.5 &&
         __hiloint2double(__double2hiint(2.5), __double2loint(2.5)) == 2.5);
}

__global__ void fill(float4* wide) { wide[0] = make_float4(1, 2, 3, 4); }

__global__ void read_only(const float4* wide) {
  EXPECT(__ldg(&wide[0]).w == 4 && __ldg(&wide[0].x) == 1 && __ldcg(&wide[0].y) == 2);
}

__global__ void vectors(float4* wide) {
  static_assert(sizeof(float3) == 12 && alignof(float3) == 4 && alignof(float2) == 8 && alignof(float4) == 16,
                "CUDA's layout");
  static_assert(alignof(char4) == 4 && alignof(short2) == 4 && alignof(double2) == 16 && alignof(int2) == 8 &&
                    sizeof(longlong4) == 32,
                "CUDA's layout");
  static_assert(__is_trivially_copyable(float4) && __is_trivially_copyable(dim3), "one access a copy");
  const float4 v = wide[0];
  EXPECT(v.x + v.y + v.z + v.w == 10 && make_uchar4(1, 2, 3, 255).w == 255 && make_int3(1, 2, 3).z == 3 &&
         make_double2(1, 2).y == 2);
  __stcs(&wide[0].x, 7.0f);
  EXPECT(wide[0].x == 7);
  const dim3 d(2, 3);
  EXPECT(d.x == 2 && d.y == 3 && d.z == 1 && dim3(blockDim).x == blockDim.x && warpSize == 32);
  const cuFloatComplex z = cuCmulf(make_cuFloatComplex(1, 2), make_cuFloatComplex(3, 4));
  EXPECT(cuCrealf(z) == -5 && cuCimagf(z) == 10 && cuCabs(make_cuDoubleComplex(3, 4)) == 5);
}

__global__ void warps() {
  const unsigned lane = threadIdx.x, all = 0xffffffffu;
  EXPECT(__activemask() == all && __ballot_sync(all, lane < 4) == 15u && __all_sync(all, 1) && !__all_sync(all, lane) &&
         __any_sync(all, lane == 7));
  EXPECT(__shfl_sync(all, lane, 5) == 5 && __shfl_sync(all, (int)lane, 5, 8) == (int)(lane / 8 * 8 + 5));
  EXPECT(__shfl_up_sync(all, lane, 1) == (lane ? lane - 1 : 0) &&
         __shfl_down_sync(all, (float)lane, 2) == (lane < 30 ? lane + 2.0f : lane));
  EXPECT(__shfl_xor_sync(all, (double)lane, 1) == (lane ^ 1) &&
         __shfl_xor_sync(all, (long long)lane << 40, 3) == (long long)(lane ^ 3) << 40);
  EXPECT(__shfl_sync(all, __half(lane), 9) == __half(9));
  EXPECT(__match_any_sync(all, lane / 4) == 15u << (lane / 4 * 4));
  int same;
  EXPECT(__match_all_sync(all, 3.0, &same) == all && same && __match_all_sync(all, lane, &same) == 0 && !same);
  EXPECT(__reduce_add_sync(all, 1u) == 32 && __reduce_add_sync(all, -1) == -32 &&
         __reduce_min_sync(all, (int)lane - 5) == -5);
  EXPECT(__reduce_max_sync(all, lane) == 31 && __reduce_and_sync(all, ~1u) == ~1u &&
         __reduce_or_sync(all, 1u << lane) == all && __reduce_xor_sync(all, 1u) == 0);
  __syncwarp();
  __syncwarp(all);
  EXPECT(__syncthreads_count(lane < 3) == 3 && __syncthreads_and(lane < 32) && __syncthreads_or(lane == 3) &&
         !__syncthreads_or(0));
  __threadfence_block(), __threadfence(), __threadfence_system();
  EXPECT(clock64() <= clock64() && clock() >= 0);
}

template <class T>
__device__ bool add_and_exchange(T* cell) {
  *cell = 5;
  return atomicAdd(cell, T(2)) == T(5) && atomicExch(cell, T(1)) == T(7) && *cell == T(1);
}

template <class T>
__device__ bool order(T* cell) {
  *cell = 5;
  return atomicMin(cell, T(3)) == T(5) && atomicMax(cell, T(9)) == T(3) && *cell == T(9);
}

template <class T>
__device__ bool bitwise(T* cell) {
  *cell = 12;
  return atomicAnd(cell, T(10)) == T(12) && atomicOr(cell, T(1)) == T(8) && atomicXor(cell, T(3)) == T(9) &&
         *cell == T(10) && atomicCAS(cell, T(10), T(4)) == T(10) && atomicCAS(cell, T(10), T(5)) == T(4) &&
         *cell == T(4);
}

template <class T>
__device__ T* as(unsigned long long* cell) {
  return reinterpret_cast<T*>(cell);
}

__global__ void atomics(unsigned long long* cell) {
  typedef unsigned long long ull;
  EXPECT(add_and_exchange(as<int>(cell)) && add_and_exchange(as<unsigned>(cell)) && add_and_exchange(cell) &&
         add_and_exchange(as<float>(cell)));
  *as<double>(cell) = 1.5;
  EXPECT(atomicAdd(as<double>(cell), 2.0) == 1.5 && *as<double>(cell) == 3.5);
  EXPECT(order(as<int>(cell)) && order(as<unsigned>(cell)) && order(cell) && order(as<long long>(cell)));
  *as<int>(cell) = -5;
  EXPECT(atomicMin(as<int>(cell), 3) == -5 && atomicMax(as<int>(cell), -6) == -5 && *as<int>(cell) == -5);
  EXPECT(bitwise(as<int>(cell)) && bitwise(as<unsigned>(cell)) && bitwise(cell));
  *as<unsigned>(cell) = 2;
  EXPECT(atomicInc(as<unsigned>(cell), 2) == 2 && *as<unsigned>(cell) == 0 && atomicDec(as<unsigned>(cell), 7) == 0 &&
         *as<unsigned>(cell) == 7);
  EXPECT(atomicSub(as<unsigned>(cell), 3u) == 7 && atomicSub(as<int>(cell), 5) == 4 && *as<int>(cell) == -1);
  *as<unsigned short>(cell) = 9;
  EXPECT(atomicCAS(as<unsigned short>(cell), (unsigned short)9, (unsigned short)3) == 9 &&
         *as<unsigned short>(cell) == 3);
  *cell = 1;
  EXPECT(atomicAdd_block(cell, ull(1)) == 1 && atomicAdd_system(cell, ull(1)) == 2 &&
         atomicCAS_system(cell, ull(3), ull(0)) == 3 && atomicMax_block(cell, ull(4)) == 0);
}

__global__ void halves() {
  EXPECT(__half_as_ushort(__float2half(1.0f)) == 0x3c00 && __half_as_ushort(__half(-2.0f)) == 0xc000 &&
         __half_as_ushort(__half(65504.0f)) == 0x7bff);
  EXPECT(__half_as_ushort(__half(65520.0f)) == 0x7c00 && __half_as_ushort(__half(65519.0f)) == 0x7bff &&
         __half_as_ushort(__half(1e-8f)) == 0);
  EXPECT(__half_as_ushort(__half(5.960464477539063e-08f)) == 1 &&
         __half_as_ushort(__half(2.980232238769531e-08f)) == 0 && __half_as_ushort(__half(2.99e-08f)) == 1);
  EXPECT(__half_as_ushort(__half(2049.0f)) == 0x6800 && __half_as_ushort(__half(2051.0f)) == 0x6802 &&
         __half_as_ushort(__half(6.1035e-5f)) == 0x0400);
  for (unsigned bits = 0; bits < 0x7c00; bits += 7)
    EXPECT(__half_as_ushort(__float2half(__half2float(__ushort_as_half((unsigned short)bits)))) == bits);
  const __half a(1.5f), b(2);
  EXPECT(float(a + b) == 3.5f && float(a * b) == 3 && float(a - b) == -0.5f && float(b / a) == 1.3330078125f &&
         float(-a) == -1.5f && a < b && b >= a);
  EXPECT(float(__hfma(a, b, a)) == 4.5f && float(hsqrt(__half(9))) == 3 && __hgt(b, a) && __hisnan(__half(nanf(""))) &&
         float(__hmax(a, b)) == 2);
  const __half2 two = __hadd2(__floats2half2_rn(1, 2), __float2half2_rn(3));
  EXPECT(__low2float(two) == 4 && __high2float(two) == 5 && __half22float2(__hmul2(two, two)).y == 25 &&
         __half2int_rn(__half(2.5f)) == 2);
}

int main() {
  float4* wide;
  unsigned long long* cell;
  cudaMalloc(&wide, sizeof *wide);
  cudaMalloc(&cell, sizeof *cell);
  cudaMemset(cell, 0, sizeof *cell);
  integers<<<1, 1>>>();
  extremes<<<1, 1>>>();
  mathematics<<<1, 1>>>();
  conversions<<<1, 1>>>();
  fill<<<1, 1>>>(wide);
  read_only<<<1, 1>>>(wide);
  vectors<<<1, 1>>>(wide);
  warps<<<1, 32>>>();
  atomics<<<1, 1>>>(cell);
  halves<<<1, 1>>>();
  int failed = -1;
  cudaMemcpyFromSymbol(&failed, failures, sizeof failed);
  cudaFree(wide);
  cudaFree(cell);
  if (cudaGetLastError() != cudaSuccess) return 99;
  printf("%d failures\n", failed);
  return failed;
}
