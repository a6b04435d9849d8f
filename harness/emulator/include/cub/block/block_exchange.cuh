// The threads of a block change who holds which element, through shared memory: blocked, a thread's elements lie side by side;
// striped, as many apart as there are threads.
#pragma once
#ifndef __clang__  // ../../device_functions.h
#pragma GCC system_header
#endif

#include "../detail/config.h"

namespace cub {

template <class T, int BlockDimX, int Items, bool = false, int BlockDimY = 1, int BlockDimZ = 1, int = 0>
class BlockExchange {
  static constexpr int threads = BlockDimX * BlockDimY * BlockDimZ;

 public:
  struct TempStorage {
    detail::raw_array<T, threads * Items> elements;
  };
  SIMTLAB_CUB explicit BlockExchange(TempStorage& storage) : storage_(storage) {
    detail::expect_threads<threads>("cub::BlockExchange");
  }

  template <class To>
  SIMTLAB_CUB void StripedToBlocked(const T (&inputs)[Items], To (&outputs)[Items]) {
    const int thread = detail::thread_rank();
    exchange(
        inputs, outputs, [=](int index) { return thread + index * threads; },
        [=](int index) { return thread * Items + index; });
  }
  template <class To>
  SIMTLAB_CUB void BlockedToStriped(const T (&inputs)[Items], To (&outputs)[Items]) {
    const int thread = detail::thread_rank();
    exchange(
        inputs, outputs, [=](int index) { return thread * Items + index; },
        [=](int index) { return thread + index * threads; });
  }
  template <class To, class Rank>
  SIMTLAB_CUB void ScatterToBlocked(const T (&inputs)[Items], To (&outputs)[Items], const Rank (&ranks)[Items]) {
    const int thread = detail::thread_rank();
    exchange(
        inputs, outputs, [&](int index) { return static_cast<int>(ranks[index]); },
        [=](int index) { return thread * Items + index; });
  }
  template <class To, class Rank>
  SIMTLAB_CUB void ScatterToStriped(const T (&inputs)[Items], To (&outputs)[Items], const Rank (&ranks)[Items]) {
    const int thread = detail::thread_rank();
    exchange(
        inputs, outputs, [&](int index) { return static_cast<int>(ranks[index]); },
        [=](int index) { return thread + index * threads; });
  }
  SIMTLAB_CUB void StripedToBlocked(T (&items)[Items]) { StripedToBlocked(items, items); }
  SIMTLAB_CUB void BlockedToStriped(T (&items)[Items]) { BlockedToStriped(items, items); }
  template <class Rank>
  SIMTLAB_CUB void ScatterToBlocked(T (&items)[Items], const Rank (&ranks)[Items]) {
    ScatterToBlocked(items, items, ranks);
  }
  template <class Rank>
  SIMTLAB_CUB void ScatterToStriped(T (&items)[Items], const Rank (&ranks)[Items]) {
    ScatterToStriped(items, items, ranks);
  }

 private:
  template <class From, class To, class Place, class OtherPlace>
  SIMTLAB_CUB void exchange(const From (&inputs)[Items], To (&outputs)[Items], Place place, OtherPlace other) {
#pragma GCC unroll 32
    for (int index = 0; index < Items; ++index) storage_.elements[place(index)] = inputs[index];
    __syncthreads();
#pragma GCC unroll 32
    for (int index = 0; index < Items; ++index) outputs[index] = storage_.elements[other(index)];
  }
  TempStorage& storage_;
};

}  // namespace cub
