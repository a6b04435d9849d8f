// Where neighbouring elements of a block's threads differ: heads are the first of each run, tails the last. Elements lie blocked.
#pragma once
#ifndef __clang__  // ../../device_functions.h
#pragma GCC system_header
#endif

#include "../detail/config.h"

namespace cub {

template <class T, int BlockDimX, int BlockDimY = 1, int BlockDimZ = 1, int = 0>
class BlockDiscontinuity {
  static constexpr int threads = BlockDimX * BlockDimY * BlockDimZ;

 public:
  struct TempStorage {
    detail::raw_array<T, threads> first, last;
  };
  SIMTLAB_CUB explicit BlockDiscontinuity(TempStorage& storage) : storage_(storage) {
    detail::expect_threads<threads>("cub::BlockDiscontinuity");
  }

  /// The first element of the block is a head.
  template <int Items, class Flag, class Differ>
  SIMTLAB_CUB void FlagHeads(Flag (&heads)[Items], T (&items)[Items], Differ differ) {
    share(items);
    flag_heads(heads, items, differ, nullptr);
  }
  /// The first element is compared with the one before the block.
  template <int Items, class Flag, class Differ>
  SIMTLAB_CUB void FlagHeads(Flag (&heads)[Items], T (&items)[Items], Differ differ, T before) {
    share(items);
    flag_heads(heads, items, differ, &before);
  }
  /// The last element of the block is a tail.
  template <int Items, class Flag, class Differ>
  SIMTLAB_CUB void FlagTails(Flag (&tails)[Items], T (&items)[Items], Differ differ) {
    share(items);
    flag_tails(tails, items, differ, nullptr);
  }
  template <int Items, class Flag, class Differ>
  SIMTLAB_CUB void FlagTails(Flag (&tails)[Items], T (&items)[Items], Differ differ, T behind) {
    share(items);
    flag_tails(tails, items, differ, &behind);
  }
  template <int Items, class Flag, class Differ>
  SIMTLAB_CUB void FlagHeadsAndTails(Flag (&heads)[Items], Flag (&tails)[Items], T (&items)[Items], Differ differ) {
    share(items);
    flag_heads(heads, items, differ, nullptr);
    flag_tails(tails, items, differ, nullptr);
  }

 private:
  template <int Items>
  SIMTLAB_CUB void share(const T (&items)[Items]) {
    storage_.first[detail::thread_rank()] = items[0];
    storage_.last[detail::thread_rank()] = items[Items - 1];
    __syncthreads();
  }
  template <int Items, class Flag, class Differ>
  SIMTLAB_CUB void flag_heads(Flag (&heads)[Items], const T (&items)[Items], Differ differ, const T* before) {
    const int thread = detail::thread_rank();
#pragma GCC unroll 32
    for (int index = Items - 1; index > 0; --index) heads[index] = differ(items[index - 1], items[index]);
    if (thread > 0)
      heads[0] = differ(storage_.last[thread - 1], items[0]);
    else
      heads[0] = before == nullptr ? true : differ(*before, items[0]);
  }
  template <int Items, class Flag, class Differ>
  SIMTLAB_CUB void flag_tails(Flag (&tails)[Items], const T (&items)[Items], Differ differ, const T* behind) {
    const int thread = detail::thread_rank();
#pragma GCC unroll 32
    for (int index = 0; index < Items - 1; ++index) tails[index] = differ(items[index], items[index + 1]);
    if (thread < threads - 1)
      tails[Items - 1] = differ(items[Items - 1], storage_.first[thread + 1]);
    else
      tails[Items - 1] = behind == nullptr ? true : differ(items[Items - 1], *behind);
  }
  TempStorage& storage_;
};

}  // namespace cub
