// Barriers, fences, warp primitives, cached loads and integer intrinsics of device code.
#pragma once       // IWYU pragma: private, include <cuda_runtime.h>
#ifndef __clang__  // whose completion hides names like __shfl_sync of system headers
#pragma GCC system_header
#endif
#define __DEVICE_FUNCTIONS_H__  // the toolkit's guard, for headers that look for it

#include <stddef.h>
#include <stdint.h>

#include "host_defines.h"
#include "simtlab/emulator_entry.h"
#include "vector_types.h"

#define SIMTLAB_DEVICE __device__ inline __attribute__((always_inline, artificial))

// The barrier itself is declared under CUDA's name, so that its call stands in the student's line without a wrapper.
#ifndef SIMTLAB_FRONT_END  // clang's CUDA knows it
extern "C" void __syncthreads(void) __asm__("simtlab_syncthreads");
#endif

SIMTLAB_DEVICE int __syncthreads_count(int predicate) {
  return simtlab_syncthreads_reduce(predicate, simtlab_predicate_count);
}
SIMTLAB_DEVICE int __syncthreads_and(int predicate) {
  return simtlab_syncthreads_reduce(predicate, simtlab_predicate_and);
}
SIMTLAB_DEVICE int __syncthreads_or(int predicate) {
  return simtlab_syncthreads_reduce(predicate, simtlab_predicate_or);
}
SIMTLAB_DEVICE void __syncwarp(unsigned mask = 0xffffffffu) { simtlab_syncwarp(mask); }

SIMTLAB_DEVICE void __threadfence_block() { simtlab_threadfence(simtlab_fence_block); }
SIMTLAB_DEVICE void __threadfence() { simtlab_threadfence(simtlab_fence_device); }
SIMTLAB_DEVICE void __threadfence_system() { simtlab_threadfence(simtlab_fence_system); }

// Votes
SIMTLAB_DEVICE unsigned __activemask() { return simtlab_activemask(); }
SIMTLAB_DEVICE unsigned __ballot_sync(unsigned mask, int predicate) {
  return simtlab_vote(mask, predicate, simtlab_vote_ballot);
}
SIMTLAB_DEVICE int __all_sync(unsigned mask, int predicate) {
  return static_cast<int>(simtlab_vote(mask, predicate, simtlab_vote_all));
}
SIMTLAB_DEVICE int __any_sync(unsigned mask, int predicate) {
  return static_cast<int>(simtlab_vote(mask, predicate, simtlab_vote_any));
}

namespace simtlab {

template <size_t Bytes>
struct word;
template <>
struct word<1> {
  using type = unsigned char;
};
template <>
struct word<2> {
  using type = unsigned short;
};
template <>
struct word<4> {
  using type = unsigned;
};
template <>
struct word<8> {
  using type = unsigned long;
};

/// A value of up to 8 bytes as bits, and back. Both are folded to registers: they touch no memory.
template <class T>
__host__ SIMTLAB_DEVICE uint64_t bits(T value) {
  return __builtin_bit_cast(typename word<sizeof(T)>::type, value);
}
template <class T>
__host__ SIMTLAB_DEVICE T from_bits(uint64_t value) {
  return __builtin_bit_cast(T, static_cast<typename word<sizeof(T)>::type>(value));
}

}  // namespace simtlab
// Shuffles
SIMTLAB_DEVICE int __shfl_sync(unsigned mask, int value, int source, int width = 32) {
  return simtlab::from_bits<int>(simtlab_shuffle(mask, simtlab::bits(value), static_cast<unsigned>(source),
                                                 simtlab_shuffle_index, static_cast<unsigned>(width)));
}
SIMTLAB_DEVICE unsigned int __shfl_sync(unsigned mask, unsigned int value, int source, int width = 32) {
  return simtlab::from_bits<unsigned int>(simtlab_shuffle(mask, simtlab::bits(value), static_cast<unsigned>(source),
                                                          simtlab_shuffle_index, static_cast<unsigned>(width)));
}
SIMTLAB_DEVICE long __shfl_sync(unsigned mask, long value, int source, int width = 32) {
  return simtlab::from_bits<long>(simtlab_shuffle(mask, simtlab::bits(value), static_cast<unsigned>(source),
                                                  simtlab_shuffle_index, static_cast<unsigned>(width)));
}
SIMTLAB_DEVICE unsigned long __shfl_sync(unsigned mask, unsigned long value, int source, int width = 32) {
  return simtlab::from_bits<unsigned long>(simtlab_shuffle(mask, simtlab::bits(value), static_cast<unsigned>(source),
                                                           simtlab_shuffle_index, static_cast<unsigned>(width)));
}
SIMTLAB_DEVICE long long __shfl_sync(unsigned mask, long long value, int source, int width = 32) {
  return simtlab::from_bits<long long>(simtlab_shuffle(mask, simtlab::bits(value), static_cast<unsigned>(source),
                                                       simtlab_shuffle_index, static_cast<unsigned>(width)));
}
SIMTLAB_DEVICE unsigned long long __shfl_sync(unsigned mask, unsigned long long value, int source, int width = 32) {
  return simtlab::from_bits<unsigned long long>(simtlab_shuffle(
      mask, simtlab::bits(value), static_cast<unsigned>(source), simtlab_shuffle_index, static_cast<unsigned>(width)));
}
SIMTLAB_DEVICE float __shfl_sync(unsigned mask, float value, int source, int width = 32) {
  return simtlab::from_bits<float>(simtlab_shuffle(mask, simtlab::bits(value), static_cast<unsigned>(source),
                                                   simtlab_shuffle_index, static_cast<unsigned>(width)));
}
SIMTLAB_DEVICE double __shfl_sync(unsigned mask, double value, int source, int width = 32) {
  return simtlab::from_bits<double>(simtlab_shuffle(mask, simtlab::bits(value), static_cast<unsigned>(source),
                                                    simtlab_shuffle_index, static_cast<unsigned>(width)));
}
SIMTLAB_DEVICE int __shfl_up_sync(unsigned mask, int value, unsigned delta, int width = 32) {
  return simtlab::from_bits<int>(
      simtlab_shuffle(mask, simtlab::bits(value), delta, simtlab_shuffle_up, static_cast<unsigned>(width)));
}
SIMTLAB_DEVICE unsigned int __shfl_up_sync(unsigned mask, unsigned int value, unsigned delta, int width = 32) {
  return simtlab::from_bits<unsigned int>(
      simtlab_shuffle(mask, simtlab::bits(value), delta, simtlab_shuffle_up, static_cast<unsigned>(width)));
}
SIMTLAB_DEVICE long __shfl_up_sync(unsigned mask, long value, unsigned delta, int width = 32) {
  return simtlab::from_bits<long>(
      simtlab_shuffle(mask, simtlab::bits(value), delta, simtlab_shuffle_up, static_cast<unsigned>(width)));
}
SIMTLAB_DEVICE unsigned long __shfl_up_sync(unsigned mask, unsigned long value, unsigned delta, int width = 32) {
  return simtlab::from_bits<unsigned long>(
      simtlab_shuffle(mask, simtlab::bits(value), delta, simtlab_shuffle_up, static_cast<unsigned>(width)));
}
SIMTLAB_DEVICE long long __shfl_up_sync(unsigned mask, long long value, unsigned delta, int width = 32) {
  return simtlab::from_bits<long long>(
      simtlab_shuffle(mask, simtlab::bits(value), delta, simtlab_shuffle_up, static_cast<unsigned>(width)));
}
SIMTLAB_DEVICE unsigned long long __shfl_up_sync(unsigned mask, unsigned long long value, unsigned delta,
                                                 int width = 32) {
  return simtlab::from_bits<unsigned long long>(
      simtlab_shuffle(mask, simtlab::bits(value), delta, simtlab_shuffle_up, static_cast<unsigned>(width)));
}
SIMTLAB_DEVICE float __shfl_up_sync(unsigned mask, float value, unsigned delta, int width = 32) {
  return simtlab::from_bits<float>(
      simtlab_shuffle(mask, simtlab::bits(value), delta, simtlab_shuffle_up, static_cast<unsigned>(width)));
}
SIMTLAB_DEVICE double __shfl_up_sync(unsigned mask, double value, unsigned delta, int width = 32) {
  return simtlab::from_bits<double>(
      simtlab_shuffle(mask, simtlab::bits(value), delta, simtlab_shuffle_up, static_cast<unsigned>(width)));
}
SIMTLAB_DEVICE int __shfl_down_sync(unsigned mask, int value, unsigned delta, int width = 32) {
  return simtlab::from_bits<int>(
      simtlab_shuffle(mask, simtlab::bits(value), delta, simtlab_shuffle_down, static_cast<unsigned>(width)));
}
SIMTLAB_DEVICE unsigned int __shfl_down_sync(unsigned mask, unsigned int value, unsigned delta, int width = 32) {
  return simtlab::from_bits<unsigned int>(
      simtlab_shuffle(mask, simtlab::bits(value), delta, simtlab_shuffle_down, static_cast<unsigned>(width)));
}
SIMTLAB_DEVICE long __shfl_down_sync(unsigned mask, long value, unsigned delta, int width = 32) {
  return simtlab::from_bits<long>(
      simtlab_shuffle(mask, simtlab::bits(value), delta, simtlab_shuffle_down, static_cast<unsigned>(width)));
}
SIMTLAB_DEVICE unsigned long __shfl_down_sync(unsigned mask, unsigned long value, unsigned delta, int width = 32) {
  return simtlab::from_bits<unsigned long>(
      simtlab_shuffle(mask, simtlab::bits(value), delta, simtlab_shuffle_down, static_cast<unsigned>(width)));
}
SIMTLAB_DEVICE long long __shfl_down_sync(unsigned mask, long long value, unsigned delta, int width = 32) {
  return simtlab::from_bits<long long>(
      simtlab_shuffle(mask, simtlab::bits(value), delta, simtlab_shuffle_down, static_cast<unsigned>(width)));
}
SIMTLAB_DEVICE unsigned long long __shfl_down_sync(unsigned mask, unsigned long long value, unsigned delta,
                                                   int width = 32) {
  return simtlab::from_bits<unsigned long long>(
      simtlab_shuffle(mask, simtlab::bits(value), delta, simtlab_shuffle_down, static_cast<unsigned>(width)));
}
SIMTLAB_DEVICE float __shfl_down_sync(unsigned mask, float value, unsigned delta, int width = 32) {
  return simtlab::from_bits<float>(
      simtlab_shuffle(mask, simtlab::bits(value), delta, simtlab_shuffle_down, static_cast<unsigned>(width)));
}
SIMTLAB_DEVICE double __shfl_down_sync(unsigned mask, double value, unsigned delta, int width = 32) {
  return simtlab::from_bits<double>(
      simtlab_shuffle(mask, simtlab::bits(value), delta, simtlab_shuffle_down, static_cast<unsigned>(width)));
}
SIMTLAB_DEVICE int __shfl_xor_sync(unsigned mask, int value, int lane_mask, int width = 32) {
  return simtlab::from_bits<int>(simtlab_shuffle(mask, simtlab::bits(value), static_cast<unsigned>(lane_mask),
                                                 simtlab_shuffle_xor, static_cast<unsigned>(width)));
}
SIMTLAB_DEVICE unsigned int __shfl_xor_sync(unsigned mask, unsigned int value, int lane_mask, int width = 32) {
  return simtlab::from_bits<unsigned int>(simtlab_shuffle(mask, simtlab::bits(value), static_cast<unsigned>(lane_mask),
                                                          simtlab_shuffle_xor, static_cast<unsigned>(width)));
}
SIMTLAB_DEVICE long __shfl_xor_sync(unsigned mask, long value, int lane_mask, int width = 32) {
  return simtlab::from_bits<long>(simtlab_shuffle(mask, simtlab::bits(value), static_cast<unsigned>(lane_mask),
                                                  simtlab_shuffle_xor, static_cast<unsigned>(width)));
}
SIMTLAB_DEVICE unsigned long __shfl_xor_sync(unsigned mask, unsigned long value, int lane_mask, int width = 32) {
  return simtlab::from_bits<unsigned long>(simtlab_shuffle(mask, simtlab::bits(value), static_cast<unsigned>(lane_mask),
                                                           simtlab_shuffle_xor, static_cast<unsigned>(width)));
}
SIMTLAB_DEVICE long long __shfl_xor_sync(unsigned mask, long long value, int lane_mask, int width = 32) {
  return simtlab::from_bits<long long>(simtlab_shuffle(mask, simtlab::bits(value), static_cast<unsigned>(lane_mask),
                                                       simtlab_shuffle_xor, static_cast<unsigned>(width)));
}
SIMTLAB_DEVICE unsigned long long __shfl_xor_sync(unsigned mask, unsigned long long value, int lane_mask,
                                                  int width = 32) {
  return simtlab::from_bits<unsigned long long>(simtlab_shuffle(
      mask, simtlab::bits(value), static_cast<unsigned>(lane_mask), simtlab_shuffle_xor, static_cast<unsigned>(width)));
}
SIMTLAB_DEVICE float __shfl_xor_sync(unsigned mask, float value, int lane_mask, int width = 32) {
  return simtlab::from_bits<float>(simtlab_shuffle(mask, simtlab::bits(value), static_cast<unsigned>(lane_mask),
                                                   simtlab_shuffle_xor, static_cast<unsigned>(width)));
}
SIMTLAB_DEVICE double __shfl_xor_sync(unsigned mask, double value, int lane_mask, int width = 32) {
  return simtlab::from_bits<double>(simtlab_shuffle(mask, simtlab::bits(value), static_cast<unsigned>(lane_mask),
                                                    simtlab_shuffle_xor, static_cast<unsigned>(width)));
}

// Gone since CUDA 9: the name is here to say what replaced it.
namespace simtlab {
template <class T>
constexpr bool removed_from_cuda = false;
}
template <class T>
SIMTLAB_DEVICE T __shfl(T value, int, int = 32) {
  static_assert(simtlab::removed_from_cuda<T>,
                "__shfl was removed from CUDA; use __shfl_sync(mask, value, source_lane)");
  return value;
}
template <class T>
SIMTLAB_DEVICE T __shfl_up(T value, int, int = 32) {
  static_assert(simtlab::removed_from_cuda<T>,
                "__shfl_up was removed from CUDA; use __shfl_up_sync(mask, value, delta)");
  return value;
}
template <class T>
SIMTLAB_DEVICE T __shfl_down(T value, int, int = 32) {
  static_assert(simtlab::removed_from_cuda<T>,
                "__shfl_down was removed from CUDA; use __shfl_down_sync(mask, value, delta)");
  return value;
}
template <class T>
SIMTLAB_DEVICE T __shfl_xor(T value, int, int = 32) {
  static_assert(simtlab::removed_from_cuda<T>,
                "__shfl_xor was removed from CUDA; use __shfl_xor_sync(mask, value, lane_mask)");
  return value;
}
template <class T>
SIMTLAB_DEVICE int __ballot(T) {
  static_assert(simtlab::removed_from_cuda<T>, "__ballot was removed from CUDA; use __ballot_sync(mask, predicate)");
  return 0;
}
template <class T>
SIMTLAB_DEVICE int __all(T) {
  static_assert(simtlab::removed_from_cuda<T>, "__all was removed from CUDA; use __all_sync(mask, predicate)");
  return 0;
}
template <class T>
SIMTLAB_DEVICE int __any(T) {
  static_assert(simtlab::removed_from_cuda<T>, "__any was removed from CUDA; use __any_sync(mask, predicate)");
  return 0;
}

// Match and reduce
SIMTLAB_DEVICE unsigned __match_any_sync(unsigned mask, int value) {
  return simtlab_match(mask, simtlab::bits(value), simtlab_match_any, nullptr);
}
SIMTLAB_DEVICE unsigned __match_all_sync(unsigned mask, int value, int* all_equal) {
  return simtlab_match(mask, simtlab::bits(value), simtlab_match_all, all_equal);
}
SIMTLAB_DEVICE unsigned __match_any_sync(unsigned mask, unsigned int value) {
  return simtlab_match(mask, simtlab::bits(value), simtlab_match_any, nullptr);
}
SIMTLAB_DEVICE unsigned __match_all_sync(unsigned mask, unsigned int value, int* all_equal) {
  return simtlab_match(mask, simtlab::bits(value), simtlab_match_all, all_equal);
}
SIMTLAB_DEVICE unsigned __match_any_sync(unsigned mask, long value) {
  return simtlab_match(mask, simtlab::bits(value), simtlab_match_any, nullptr);
}
SIMTLAB_DEVICE unsigned __match_all_sync(unsigned mask, long value, int* all_equal) {
  return simtlab_match(mask, simtlab::bits(value), simtlab_match_all, all_equal);
}
SIMTLAB_DEVICE unsigned __match_any_sync(unsigned mask, unsigned long value) {
  return simtlab_match(mask, simtlab::bits(value), simtlab_match_any, nullptr);
}
SIMTLAB_DEVICE unsigned __match_all_sync(unsigned mask, unsigned long value, int* all_equal) {
  return simtlab_match(mask, simtlab::bits(value), simtlab_match_all, all_equal);
}
SIMTLAB_DEVICE unsigned __match_any_sync(unsigned mask, long long value) {
  return simtlab_match(mask, simtlab::bits(value), simtlab_match_any, nullptr);
}
SIMTLAB_DEVICE unsigned __match_all_sync(unsigned mask, long long value, int* all_equal) {
  return simtlab_match(mask, simtlab::bits(value), simtlab_match_all, all_equal);
}
SIMTLAB_DEVICE unsigned __match_any_sync(unsigned mask, unsigned long long value) {
  return simtlab_match(mask, simtlab::bits(value), simtlab_match_any, nullptr);
}
SIMTLAB_DEVICE unsigned __match_all_sync(unsigned mask, unsigned long long value, int* all_equal) {
  return simtlab_match(mask, simtlab::bits(value), simtlab_match_all, all_equal);
}
SIMTLAB_DEVICE unsigned __match_any_sync(unsigned mask, float value) {
  return simtlab_match(mask, simtlab::bits(value), simtlab_match_any, nullptr);
}
SIMTLAB_DEVICE unsigned __match_all_sync(unsigned mask, float value, int* all_equal) {
  return simtlab_match(mask, simtlab::bits(value), simtlab_match_all, all_equal);
}
SIMTLAB_DEVICE unsigned __match_any_sync(unsigned mask, double value) {
  return simtlab_match(mask, simtlab::bits(value), simtlab_match_any, nullptr);
}
SIMTLAB_DEVICE unsigned __match_all_sync(unsigned mask, double value, int* all_equal) {
  return simtlab_match(mask, simtlab::bits(value), simtlab_match_all, all_equal);
}
SIMTLAB_DEVICE unsigned __reduce_add_sync(unsigned mask, unsigned value) {
  return simtlab_reduce(mask, value, simtlab_reduce_add);
}
SIMTLAB_DEVICE int __reduce_add_sync(unsigned mask, int value) {
  return static_cast<int>(simtlab_reduce(mask, static_cast<unsigned>(value), simtlab_reduce_add));
}
SIMTLAB_DEVICE unsigned __reduce_min_sync(unsigned mask, unsigned value) {
  return simtlab_reduce(mask, value, simtlab_reduce_min_unsigned);
}
SIMTLAB_DEVICE int __reduce_min_sync(unsigned mask, int value) {
  return static_cast<int>(simtlab_reduce(mask, static_cast<unsigned>(value), simtlab_reduce_min_signed));
}
SIMTLAB_DEVICE unsigned __reduce_max_sync(unsigned mask, unsigned value) {
  return simtlab_reduce(mask, value, simtlab_reduce_max_unsigned);
}
SIMTLAB_DEVICE int __reduce_max_sync(unsigned mask, int value) {
  return static_cast<int>(simtlab_reduce(mask, static_cast<unsigned>(value), simtlab_reduce_max_signed));
}
SIMTLAB_DEVICE unsigned __reduce_and_sync(unsigned mask, unsigned value) {
  return simtlab_reduce(mask, value, simtlab_reduce_and);
}
SIMTLAB_DEVICE unsigned __reduce_or_sync(unsigned mask, unsigned value) {
  return simtlab_reduce(mask, value, simtlab_reduce_or);
}
SIMTLAB_DEVICE unsigned __reduce_xor_sync(unsigned mask, unsigned value) {
  return simtlab_reduce(mask, value, simtlab_reduce_xor);
}

// Loads and stores with a cache hint: the emulator has no caches, so they are the plain access in the caller's line.
template <class T>
SIMTLAB_DEVICE T __ldg(const T* address) {
  return *address;
}
template <class T>
SIMTLAB_DEVICE T __ldca(const T* address) {
  return *address;
}
template <class T>
SIMTLAB_DEVICE T __ldcg(const T* address) {
  return *address;
}
template <class T>
SIMTLAB_DEVICE T __ldcs(const T* address) {
  return *address;
}
template <class T>
SIMTLAB_DEVICE T __ldlu(const T* address) {
  return *address;
}
template <class T>
SIMTLAB_DEVICE T __ldcv(const T* address) {
  return *address;
}
template <class T>
SIMTLAB_DEVICE void __stwb(T* address, T value) {
  *address = value;
}
template <class T>
SIMTLAB_DEVICE void __stcg(T* address, T value) {
  *address = value;
}
template <class T>
SIMTLAB_DEVICE void __stcs(T* address, T value) {
  *address = value;
}
template <class T>
SIMTLAB_DEVICE void __stwt(T* address, T value) {
  *address = value;
}

// Time, traps, sleeping
SIMTLAB_DEVICE long long clock64() { return simtlab_clock(); }
SIMTLAB_DEVICE unsigned long long __globaltimer() { return static_cast<unsigned long long>(simtlab_clock()); }
SIMTLAB_DEVICE void __nanosleep(unsigned) { simtlab_pause(); }
SIMTLAB_DEVICE void __trap() { simtlab_assert_fail("__trap()", "", 0, "__trap"); }
SIMTLAB_DEVICE void __brkpt() { simtlab_assert_fail("__brkpt()", "", 0, "__brkpt"); }

// Integer intrinsics
SIMTLAB_DEVICE int __popc(unsigned x) { return __builtin_popcount(x); }
SIMTLAB_DEVICE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
SIMTLAB_DEVICE int __clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x)); }
SIMTLAB_DEVICE int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x)); }
SIMTLAB_DEVICE int __ffs(int x) { return __builtin_ffs(x); }
SIMTLAB_DEVICE int __ffsll(long long x) { return __builtin_ffsll(x); }
/// The place of the set bit that is `offset` set bits from `base` on, counted upwards, or downwards where it is negative; at 0 the
/// base itself. All ones where there is none. (PTX ISA, "fns".)
SIMTLAB_DEVICE unsigned __fns(unsigned mask, unsigned base, int offset) {
  const int step = offset < 0 ? -1 : 1;
  int left = offset == 0 ? 1 : offset * step;
  for (int place = static_cast<int>(base); place >= 0 && place < 32; place += step) {
    if ((mask >> place & 1) != 0 && --left == 0) return static_cast<unsigned>(place);
    if (offset == 0) break;
  }
  return 0xffffffffu;
}
__host__ SIMTLAB_DEVICE unsigned short __nv_bswap16(unsigned short x) { return __builtin_bswap16(x); }
__host__ SIMTLAB_DEVICE unsigned int __nv_bswap32(unsigned int x) { return __builtin_bswap32(x); }
__host__ SIMTLAB_DEVICE unsigned long long __nv_bswap64(unsigned long long x) { return __builtin_bswap64(x); }
SIMTLAB_DEVICE unsigned __brev(unsigned x) {
  x = ((x >> 1) & 0x55555555u) | ((x & 0x55555555u) << 1);
  x = ((x >> 2) & 0x33333333u) | ((x & 0x33333333u) << 2);
  x = ((x >> 4) & 0x0f0f0f0fu) | ((x & 0x0f0f0f0fu) << 4);
  return __builtin_bswap32(x);
}
SIMTLAB_DEVICE unsigned long long __brevll(unsigned long long x) {
  return (static_cast<unsigned long long>(__brev(static_cast<unsigned>(x))) << 32) |
         __brev(static_cast<unsigned>(x >> 32));
}
SIMTLAB_DEVICE int __mul24(int a, int b) { return ((a << 8) >> 8) * ((b << 8) >> 8); }
SIMTLAB_DEVICE unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffffu) * (b & 0xffffffu); }
SIMTLAB_DEVICE int __mulhi(int a, int b) { return static_cast<int>((static_cast<long long>(a) * b) >> 32); }
SIMTLAB_DEVICE unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>((static_cast<unsigned long long>(a) * b) >> 32);
}
SIMTLAB_DEVICE long long __mul64hi(long long a, long long b) {
  return static_cast<long long>((static_cast<__int128>(a) * b) >> 64);
}
SIMTLAB_DEVICE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>((static_cast<unsigned __int128>(a) * b) >> 64);
}
SIMTLAB_DEVICE int __hadd(int a, int b) { return static_cast<int>((static_cast<long long>(a) + b) >> 1); }
SIMTLAB_DEVICE int __rhadd(int a, int b) { return static_cast<int>((static_cast<long long>(a) + b + 1) >> 1); }
SIMTLAB_DEVICE unsigned __uhadd(unsigned a, unsigned b) {
  return static_cast<unsigned>((static_cast<unsigned long long>(a) + b) >> 1);
}
SIMTLAB_DEVICE unsigned __urhadd(unsigned a, unsigned b) {
  return static_cast<unsigned>((static_cast<unsigned long long>(a) + b + 1) >> 1);
}
SIMTLAB_DEVICE unsigned __sad(int a, int b, unsigned c) {
  return c + (a > b ? static_cast<unsigned>(a) - static_cast<unsigned>(b)
                    : static_cast<unsigned>(b) - static_cast<unsigned>(a));
}
SIMTLAB_DEVICE unsigned __usad(unsigned a, unsigned b, unsigned c) { return c + (a > b ? a - b : b - a); }
SIMTLAB_DEVICE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>(((static_cast<unsigned long long>(high) << 32 | low) << (shift & 31)) >> 32);
}
SIMTLAB_DEVICE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((static_cast<unsigned long long>(high) << 32 | low) >> (shift & 31));
}
/// With the amount clamped to 32.
SIMTLAB_DEVICE unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
  return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
SIMTLAB_DEVICE unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
  return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}
SIMTLAB_DEVICE unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) {
  const unsigned long long bytes = static_cast<unsigned long long>(b) << 32 | a;
  return static_cast<unsigned>((bytes >> (8 * (selector & 7)) & 255) | (bytes >> (8 * (selector >> 4 & 7)) & 255) << 8 |
                               (bytes >> (8 * (selector >> 8 & 7)) & 255) << 16 |
                               (bytes >> (8 * (selector >> 12 & 7)) & 255) << 24);
}
SIMTLAB_DEVICE int __dp4a(int a, int b, int c) {
  for (int bit = 0; bit < 32; bit += 8) c += static_cast<signed char>(a >> bit) * static_cast<signed char>(b >> bit);
  return c;
}
SIMTLAB_DEVICE unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  for (int bit = 0; bit < 32; bit += 8) c += (a >> bit & 255) * (b >> bit & 255);
  return c;
}

/// Two halves by the low two bytes of `b`, or by its high ones.
SIMTLAB_DEVICE int __dp2a_lo(int a, int b, int c) {
  return c + static_cast<short>(a) * static_cast<signed char>(b) + (a >> 16) * static_cast<signed char>(b >> 8);
}
SIMTLAB_DEVICE unsigned __dp2a_lo(unsigned a, unsigned b, unsigned c) {
  return c + (a & 0xffffu) * (b & 255) + (a >> 16) * (b >> 8 & 255);
}
SIMTLAB_DEVICE int __dp2a_hi(int a, int b, int c) { return __dp2a_lo(a, b >> 16, c); }
SIMTLAB_DEVICE unsigned __dp2a_hi(unsigned a, unsigned b, unsigned c) { return __dp2a_lo(a, b >> 16, c); }
#include "simtlab/dpx.h"
#include "simtlab/video_intrinsics.h"

#undef SIMTLAB_DEVICE
