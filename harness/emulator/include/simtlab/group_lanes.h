// What the headers of cooperative groups are built on: the lanes of a warp as ranks of a group, and values of any type that
// travel between them. Everything is straight-line code, so that it adds no basic block to the kernel.
#pragma once       // IWYU pragma: private, include <cooperative_groups.h>
#ifndef __clang__  // device_functions.h
#pragma GCC system_header
#endif

#include "../device_functions.h"
#include "../device_launch_parameters.h"
#include "../host_defines.h"
#include "emulator_entry.h"

#include <type_traits>
#include <utility>

#define SIMTLAB_GROUP __device__ inline __attribute__((always_inline, artificial))

namespace simtlab::groups {

template <class T>
using plain = std::remove_cv_t<std::remove_reference_t<T>>;

SIMTLAB_GROUP unsigned rank_in_block() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
SIMTLAB_GROUP unsigned threads_of_block() { return blockDim.x * blockDim.y * blockDim.z; }
SIMTLAB_GROUP unsigned own_lane() { return rank_in_block() % 32; }

/// As many lanes as `size` says, 1 to 32, from lane 0 on.
SIMTLAB_GROUP constexpr unsigned first_lanes(unsigned size) { return 0xffffffffu >> (32 - size); }

/// How many lanes of `mask` come before `lane`.
SIMTLAB_GROUP unsigned rank_of_lane(unsigned mask, unsigned lane) {
  return static_cast<unsigned>(__builtin_popcount(mask & ((1u << lane) - 1)));
}

template <unsigned Step>
SIMTLAB_GROUP unsigned lane_from(unsigned mask, unsigned rank, unsigned lane) {
  const auto before = static_cast<unsigned>(__builtin_popcount(mask & ((1u << (lane + Step)) - 1)));
  const unsigned next = lane + (before <= rank ? Step : 0);
  if constexpr (Step == 1)
    return next;
  else
    return lane_from<Step / 2>(mask, rank, next);
}
/// The lane that has `rank` among those of `mask`; 31 where there is none.
SIMTLAB_GROUP unsigned lane_of_rank(unsigned mask, unsigned rank) { return lane_from<16>(mask, rank, 0); }

template <unsigned Distance>
SIMTLAB_GROUP unsigned packed(unsigned bits, unsigned mask, unsigned gaps) {
  unsigned odd = gaps ^ (gaps << 1);
  odd ^= odd << 2;
  odd ^= odd << 4;
  odd ^= odd << 8;
  odd ^= odd << 16;
  const unsigned moved = odd & mask, travelling = bits & moved;
  const unsigned next = (bits ^ travelling) | (travelling >> Distance);
  if constexpr (Distance == 16)
    return next;
  else
    return packed<Distance * 2>(next, (mask ^ moved) | (moved >> Distance), gaps & ~odd);
}
/// The bits of `bits` at the lanes of `mask`, one beside the other: by rank in place of lane. What stands between bits moves out
/// in five steps, by distances of 1, 2, 4, 8 and 16.
SIMTLAB_GROUP unsigned by_rank(unsigned bits, unsigned mask) { return packed<1>(bits & mask, mask, ~mask << 1); }

/// The calls of emulator_entry.h, of a group: what a finding then speaks of is the group, not a mask that nobody wrote.
SIMTLAB_GROUP unsigned ballot(unsigned mask, bool predicate) {
  return simtlab_vote(mask, predicate, simtlab_vote_ballot | simtlab_of_group);
}

template <class Word, size_t Count>
struct words {
  Word word[Count];
};
template <class T>
using word_of = typename word<sizeof(T) % 8 == 0   ? 8
                              : sizeof(T) % 4 == 0 ? 4
                              : sizeof(T) % 2 == 0 ? 2
                                                   : 1>::type;

template <class T, size_t... Index>
SIMTLAB_GROUP T shuffled(unsigned mask, const T& value, unsigned source, unsigned kind, unsigned width,
                         std::index_sequence<Index...>) {
  using unit = word_of<T>;
  const auto in = __builtin_bit_cast(words<unit, sizeof...(Index)>, value);
  const words<unit, sizeof...(Index)> out = {
      {static_cast<unit>(simtlab_shuffle(mask, in.word[Index], source, kind | simtlab_of_group, width))...}};
  return __builtin_bit_cast(T, out);
}
/// A value of up to 32 bytes from another lane: one shuffle for each word, of 8 bytes where they fit.
template <class T>
SIMTLAB_GROUP T shuffle(unsigned mask, const T& value, unsigned source, unsigned kind, unsigned width) {
  static_assert(std::is_trivially_copyable<T>::value, "a group shuffles only what is trivially copyable");
  static_assert(sizeof(T) <= 32, "a group shuffles at most 32 bytes");
  return shuffled(mask, value, source, kind, width, std::make_index_sequence<sizeof(T) / sizeof(word_of<T>)>());
}

template <class T>
SIMTLAB_GROUP unsigned match_any(unsigned mask, T value) {
  static_assert(std::is_arithmetic<T>::value, "a group matches numbers only");
  return simtlab_match(mask, bits(value), simtlab_match_any | simtlab_of_group, nullptr);
}
template <class T>
SIMTLAB_GROUP unsigned match_all(unsigned mask, T value, int& all_equal) {
  static_assert(std::is_arithmetic<T>::value, "a group matches numbers only");
  const unsigned equal = simtlab_match(mask, bits(value), simtlab_match_all | simtlab_of_group, nullptr);
  all_equal = equal != 0;
  return equal;
}

}  // namespace simtlab::groups
