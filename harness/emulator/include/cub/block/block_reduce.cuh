// One value of all threads of a block: each warp's by shuffles, then thread 0 puts the warps' together. Thread 0 has the result.
#pragma once
#ifndef __clang__  // ../../device_functions.h
#pragma GCC system_header
#endif

#include "../warp/warp_reduce.cuh"

namespace cub {

enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };

template <class T, int BlockDimX, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int BlockDimY = 1,
          int BlockDimZ = 1, int = 0>
class BlockReduce {
  static constexpr int threads = BlockDimX * BlockDimY * BlockDimZ, warps = (threads + 31) / 32;

 public:
  struct TempStorage {
    detail::raw_array<T, warps> of_warp;
  };
  SIMTLAB_CUB explicit BlockReduce(TempStorage& storage) : storage_(storage) {
    detail::expect_threads<threads>("cub::BlockReduce");
  }

  SIMTLAB_CUB T Sum(T input) { return Reduce(input, ::cub::Sum()); }
  SIMTLAB_CUB T Sum(T input, int valid_threads) { return Reduce(input, ::cub::Sum(), valid_threads); }
  template <int Items>
  SIMTLAB_CUB T Sum(T (&inputs)[Items]) {
    return Reduce(inputs, ::cub::Sum());
  }
  template <class Operator>
  SIMTLAB_CUB T Reduce(T input, Operator function) {
    return Reduce(input, function, threads);
  }
  template <int Items, class Operator>
  SIMTLAB_CUB T Reduce(T (&inputs)[Items], Operator function) {
    T all = inputs[0];
#pragma GCC unroll 32
    for (int index = 1; index < Items; ++index) all = function(all, inputs[index]);
    return Reduce(all, function, threads);
  }
  /// Of the first `valid_threads` threads.
  template <class Operator>
  SIMTLAB_CUB T Reduce(T input, Operator function, int valid_threads) {
    const int thread = detail::thread_rank(), warp = thread / 32, lane = thread % 32;
    const T of_warp = WarpReduce<T>::of_lanes(input, function, valid_threads - 32 * warp, lane,
                                              detail::mask_of(detail::lanes_of(threads, warp)));
    if (lane == 0) storage_.of_warp[warp] = of_warp;
    __syncthreads();
    T all = of_warp;
    if (thread == 0)
      for (int other = 1; other < warps && 32 * other < valid_threads; ++other)
        all = function(all, storage_.of_warp[other]);
    return all;
  }

 private:
  TempStorage& storage_;
};

}  // namespace cub
