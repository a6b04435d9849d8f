// How often each bin is named by the elements of a block's threads, by atomic additions.
#pragma once
#ifndef __clang__  // ../../device_functions.h
#pragma GCC system_header
#endif

#include "../detail/config.h"

namespace cub {

enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };

template <class T, int BlockDimX, int Items, int Bins, BlockHistogramAlgorithm = BLOCK_HISTO_SORT, int BlockDimY = 1,
          int BlockDimZ = 1, int = 0>
class BlockHistogram {
  static constexpr int threads = BlockDimX * BlockDimY * BlockDimZ;

 public:
  struct TempStorage {};
  SIMTLAB_CUB explicit BlockHistogram(TempStorage&) { detail::expect_threads<threads>("cub::BlockHistogram"); }

  template <class Count>
  SIMTLAB_CUB void InitHistogram(Count (&histogram)[Bins]) {
    for (int bin = detail::thread_rank(); bin < Bins; bin += threads) histogram[bin] = 0;
  }
  template <class Count>
  SIMTLAB_CUB void Histogram(T (&items)[Items], Count (&histogram)[Bins]) {
    InitHistogram(histogram);
    __syncthreads();
    Composite(items, histogram);
  }
  template <class Count>
  SIMTLAB_CUB void Composite(T (&items)[Items], Count (&histogram)[Bins]) {
#pragma GCC unroll 32
    for (int index = 0; index < Items; ++index) atomicAdd(histogram + items[index], static_cast<Count>(1));
  }
};

}  // namespace cub
