// The elements of a block's tile come into its threads, each thread's side by side (but with BLOCK_LOAD_STRIPED).
#pragma once
#ifndef __clang__  // ../../device_functions.h
#pragma GCC system_header
#endif

#include "block_exchange.cuh"

namespace cub {

enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};

template <class T, class From, int Items>
SIMTLAB_CUB void LoadDirectBlocked(int thread, From from, T (&items)[Items]) {
#pragma GCC unroll 32
  for (int index = 0; index < Items; ++index) items[index] = from[thread * Items + index];
}
template <class T, class From, int Items>
SIMTLAB_CUB void LoadDirectBlocked(int thread, From from, T (&items)[Items], int valid) {
#pragma GCC unroll 32
  for (int index = 0; index < Items; ++index)
    if (thread * Items + index < valid) items[index] = from[thread * Items + index];
}
template <int BlockThreads, class T, class From, int Items>
SIMTLAB_CUB void LoadDirectStriped(int thread, From from, T (&items)[Items]) {
#pragma GCC unroll 32
  for (int index = 0; index < Items; ++index) items[index] = from[thread + index * BlockThreads];
}
template <int BlockThreads, class T, class From, int Items>
SIMTLAB_CUB void LoadDirectStriped(int thread, From from, T (&items)[Items], int valid) {
#pragma GCC unroll 32
  for (int index = 0; index < Items; ++index)
    if (thread + index * BlockThreads < valid) items[index] = from[thread + index * BlockThreads];
}

template <class T, int BlockDimX, int Items, BlockLoadAlgorithm Algorithm = BLOCK_LOAD_DIRECT, int BlockDimY = 1,
          int BlockDimZ = 1, int = 0>
class BlockLoad {
  static constexpr int threads = BlockDimX * BlockDimY * BlockDimZ;
  static constexpr bool transposes = Algorithm == BLOCK_LOAD_TRANSPOSE || Algorithm == BLOCK_LOAD_WARP_TRANSPOSE ||
                                     Algorithm == BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED;
  static constexpr bool is_striped = transposes || Algorithm == BLOCK_LOAD_STRIPED;
  using exchange = BlockExchange<T, BlockDimX, Items, false, BlockDimY, BlockDimZ>;
  struct nothing {};

 public:
  using TempStorage = std::conditional_t<transposes, typename exchange::TempStorage, nothing>;
  SIMTLAB_CUB explicit BlockLoad(TempStorage& storage) : storage_(storage) {}
  template <class Nothing = nothing>
  SIMTLAB_CUB BlockLoad() : storage_(*static_cast<TempStorage*>(nullptr)) {
    static_assert(!transposes, "this BlockLoad needs its TempStorage in shared memory");
  }

  template <class From>
  SIMTLAB_CUB void Load(From from, T (&items)[Items]) {
    if constexpr (is_striped)
      LoadDirectStriped<threads>(detail::thread_rank(), from, items);
    else
      LoadDirectBlocked(detail::thread_rank(), from, items);
    if constexpr (transposes) exchange(storage_).StripedToBlocked(items, items);
  }
  /// The first `valid` elements; others stay as they are.
  template <class From>
  SIMTLAB_CUB void Load(From from, T (&items)[Items], int valid) {
    const int thread = detail::thread_rank();
    if constexpr (!transposes) {
      if constexpr (is_striped)
        LoadDirectStriped<threads>(thread, from, items, valid);
      else
        LoadDirectBlocked(thread, from, items, valid);
    } else {
      detail::raw_array<T, threads* Items>& elements = storage_.elements;
#pragma GCC unroll 32
      for (int index = 0; index < Items; ++index)
        if (thread + index * threads < valid) elements[thread + index * threads] = from[thread + index * threads];
      __syncthreads();
#pragma GCC unroll 32
      for (int index = 0; index < Items; ++index)
        if (thread * Items + index < valid) items[index] = elements[thread * Items + index];
    }
  }
  template <class From, class Default>
  SIMTLAB_CUB void Load(From from, T (&items)[Items], int valid, Default otherwise) {
#pragma GCC unroll 32
    for (int index = 0; index < Items; ++index) items[index] = otherwise;
    Load(from, items, valid);
  }

 private:
  TempStorage& storage_;
};

}  // namespace cub
