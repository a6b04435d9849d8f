// What every header of cub/ begins with.
//
// Algorithms of the device are Thrust's kernels on the emulator (../../thrust/detail), with the memory that the caller gives; those of
// blocks and warps are device code of the caller's kernel, with shuffles, shared memory and barriers as CUB has them.
#pragma once
#ifndef __clang__  // ../../device_functions.h
#pragma GCC system_header
#endif

#include <stddef.h>
#include <stdint.h>

#include <type_traits>

#include "../../cuda_runtime.h"
#include "../thread/thread_operators.cuh"

#define SIMTLAB_CUB __device__ inline __attribute__((always_inline, artificial))

#define CUB_VERSION 200800
#define CUB_MAJOR_VERSION 2
#define CUB_MINOR_VERSION 8
#define CUB_SUBMINOR_VERSION 0
#define CUB_RUNTIME_FUNCTION
#define CUB_PTX_ARCH 900

namespace cub {

struct NullType {};
template <class Key_, class Value_>
struct KeyValuePair {
  using Key = Key_;
  using Value = Value_;
  Key key;
  Value value;
  __host__ __device__ bool operator!=(const KeyValuePair& b) const { return value != b.value || key != b.key; }
};

namespace detail {

/// Room for elements of a type with constructors, in shared memory, where nobody calls them.
template <class T, int Count>
struct raw_array {
  alignas(T) unsigned char bytes[sizeof(T) * (Count > 0 ? Count : 1)];
  SIMTLAB_CUB T& operator[](int index) { return reinterpret_cast<T*>(bytes)[index]; }
  SIMTLAB_CUB const T& operator[](int index) const { return reinterpret_cast<const T*>(bytes)[index]; }
};

/// The calling thread in its block of X x Y x Z threads, which the template's arguments have said.
SIMTLAB_CUB int thread_rank() {
  return static_cast<int>(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
}
/// A launch with another block than the template's arguments say would leave threads out, or wait for ones that are not there.
template <int Threads>
SIMTLAB_CUB void expect_threads(const char* name) {
  if (blockDim.x * blockDim.y * blockDim.z != static_cast<unsigned>(Threads))
    simtlab_assert_fail("the block has as many threads as the template's arguments say", "", 0, name);
}
SIMTLAB_CUB int lane() { return thread_rank() % 32; }
/// The lanes of a warp that a block of so many threads has.
SIMTLAB_CUB int lanes_of(int threads, int warp) { return threads - 32 * warp < 32 ? threads - 32 * warp : 32; }
SIMTLAB_CUB unsigned mask_of(int lanes) { return lanes >= 32 ? 0xffffffffu : (1u << lanes) - 1; }

/// A value of any trivial type, a word of 32 bits at a time.
template <class T>
struct words_of {
  static constexpr int count = static_cast<int>((sizeof(T) + 3) / 4);
  unsigned word[count];
};
template <class T>
SIMTLAB_CUB words_of<T> words(const T& value) {
  words_of<T> made{};
  __builtin_memcpy(made.word, &value, sizeof(T));
  return made;
}
template <class T>
SIMTLAB_CUB T value_of(const words_of<T>& words) {
  std::remove_const_t<T> value;
  __builtin_memcpy(&value, words.word, sizeof(T));
  return value;
}
template <class T>
SIMTLAB_CUB T shuffled_down(unsigned mask, const T& value, int by, int width) {
  words_of<T> w = words(value);
#pragma GCC unroll 8
  for (int index = 0; index < w.count; ++index)
    w.word[index] = __shfl_down_sync(mask, w.word[index], static_cast<unsigned>(by), width);
  return value_of<T>(w);
}
template <class T>
SIMTLAB_CUB T shuffled_up(unsigned mask, const T& value, int by, int width) {
  words_of<T> w = words(value);
#pragma GCC unroll 8
  for (int index = 0; index < w.count; ++index)
    w.word[index] = __shfl_up_sync(mask, w.word[index], static_cast<unsigned>(by), width);
  return value_of<T>(w);
}
template <class T>
SIMTLAB_CUB T shuffled_from(unsigned mask, const T& value, int lane, int width) {
  words_of<T> w = words(value);
#pragma GCC unroll 8
  for (int index = 0; index < w.count; ++index) w.word[index] = __shfl_sync(mask, w.word[index], lane, width);
  return value_of<T>(w);
}

}  // namespace detail
}  // namespace cub
