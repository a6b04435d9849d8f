// The elements of a block's threads, each thread's side by side, go to the block's tile (but with BLOCK_STORE_STRIPED).
#pragma once
#ifndef __clang__  // ../../device_functions.h
#pragma GCC system_header
#endif

#include "block_exchange.cuh"

namespace cub {

enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_STRIPED,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

template <class T, class To, int Items>
SIMTLAB_CUB void StoreDirectBlocked(int thread, To to, T (&items)[Items]) {
#pragma GCC unroll 32
  for (int index = 0; index < Items; ++index) to[thread * Items + index] = items[index];
}
template <class T, class To, int Items>
SIMTLAB_CUB void StoreDirectBlocked(int thread, To to, T (&items)[Items], int valid) {
#pragma GCC unroll 32
  for (int index = 0; index < Items; ++index)
    if (thread * Items + index < valid) to[thread * Items + index] = items[index];
}
template <int BlockThreads, class T, class To, int Items>
SIMTLAB_CUB void StoreDirectStriped(int thread, To to, T (&items)[Items]) {
#pragma GCC unroll 32
  for (int index = 0; index < Items; ++index) to[thread + index * BlockThreads] = items[index];
}
template <int BlockThreads, class T, class To, int Items>
SIMTLAB_CUB void StoreDirectStriped(int thread, To to, T (&items)[Items], int valid) {
#pragma GCC unroll 32
  for (int index = 0; index < Items; ++index)
    if (thread + index * BlockThreads < valid) to[thread + index * BlockThreads] = items[index];
}

template <class T, int BlockDimX, int Items, BlockStoreAlgorithm Algorithm = BLOCK_STORE_DIRECT, int BlockDimY = 1,
          int BlockDimZ = 1, int = 0>
class BlockStore {
  static constexpr int threads = BlockDimX * BlockDimY * BlockDimZ;
  static constexpr bool transposes = Algorithm == BLOCK_STORE_TRANSPOSE || Algorithm == BLOCK_STORE_WARP_TRANSPOSE ||
                                     Algorithm == BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED;
  static constexpr bool is_striped = transposes || Algorithm == BLOCK_STORE_STRIPED;
  using exchange = BlockExchange<T, BlockDimX, Items, false, BlockDimY, BlockDimZ>;
  struct nothing {};

 public:
  using TempStorage = std::conditional_t<transposes, typename exchange::TempStorage, nothing>;
  SIMTLAB_CUB explicit BlockStore(TempStorage& storage) : storage_(storage) {}
  template <class Nothing = nothing>
  SIMTLAB_CUB BlockStore() : storage_(*static_cast<TempStorage*>(nullptr)) {
    static_assert(!transposes, "this BlockStore needs its TempStorage in shared memory");
  }

  template <class To>
  SIMTLAB_CUB void Store(To to, T (&items)[Items]) {
    if constexpr (transposes) exchange(storage_).BlockedToStriped(items, items);
    if constexpr (is_striped)
      StoreDirectStriped<threads>(detail::thread_rank(), to, items);
    else
      StoreDirectBlocked(detail::thread_rank(), to, items);
  }
  /// The first `valid` elements.
  template <class To>
  SIMTLAB_CUB void Store(To to, T (&items)[Items], int valid) {
    if constexpr (transposes) exchange(storage_).BlockedToStriped(items, items);
    if constexpr (is_striped)
      StoreDirectStriped<threads>(detail::thread_rank(), to, items, valid);
    else
      StoreDirectBlocked(detail::thread_rank(), to, items, valid);
  }

 private:
  TempStorage& storage_;
};

}  // namespace cub
