// Sorts the elements of a block's threads, stably, one bit of the keys a pass: elements whose bit is 0 come before the others.
#pragma once
#ifndef __clang__  // ../../device_functions.h
#pragma GCC system_header
#endif

#include "../detail/radix_bits.h"
#include "block_exchange.cuh"
#include "block_scan.cuh"

namespace cub {

template <class Key, int BlockDimX, int Items, class Value = NullType, int = 4, bool = true,
          BlockScanAlgorithm = BLOCK_SCAN_WARP_SCANS, cudaSharedMemConfig = cudaSharedMemBankSizeFourByte,
          int BlockDimY = 1, int BlockDimZ = 1, int = 0>
class BlockRadixSort {
  static constexpr int threads = BlockDimX * BlockDimY * BlockDimZ, key_bits = static_cast<int>(8 * sizeof(Key));
  static constexpr bool has_values = !std::is_same<Value, NullType>::value;
  using scan = BlockScan<int, BlockDimX, BLOCK_SCAN_WARP_SCANS, BlockDimY, BlockDimZ>;
  using key_exchange = BlockExchange<Key, BlockDimX, Items, false, BlockDimY, BlockDimZ>;
  using value_exchange = BlockExchange<Value, BlockDimX, Items, false, BlockDimY, BlockDimZ>;

 public:
  struct TempStorage {
    typename scan::TempStorage sums;
    typename key_exchange::TempStorage keys;
    std::conditional_t<has_values, typename value_exchange::TempStorage, NullType> values;
  };
  SIMTLAB_CUB explicit BlockRadixSort(TempStorage& storage) : storage_(storage) {}

  SIMTLAB_CUB void Sort(Key (&keys)[Items], int begin_bit = 0, int end_bit = key_bits) {
    Value values[Items];
    sort<false>(keys, values, begin_bit, end_bit);
  }
  SIMTLAB_CUB void Sort(Key (&keys)[Items], Value (&values)[Items], int begin_bit = 0, int end_bit = key_bits) {
    sort<false>(keys, values, begin_bit, end_bit);
  }
  SIMTLAB_CUB void SortDescending(Key (&keys)[Items], int begin_bit = 0, int end_bit = key_bits) {
    Value values[Items];
    sort<true>(keys, values, begin_bit, end_bit);
  }
  SIMTLAB_CUB void SortDescending(Key (&keys)[Items], Value (&values)[Items], int begin_bit = 0,
                                  int end_bit = key_bits) {
    sort<true>(keys, values, begin_bit, end_bit);
  }
  SIMTLAB_CUB void SortBlockedToStriped(Key (&keys)[Items], int begin_bit = 0, int end_bit = key_bits) {
    Sort(keys, begin_bit, end_bit);
    __syncthreads();
    key_exchange(storage_.keys).BlockedToStriped(keys, keys);
  }
  SIMTLAB_CUB void SortBlockedToStriped(Key (&keys)[Items], Value (&values)[Items], int begin_bit = 0,
                                        int end_bit = key_bits) {
    Sort(keys, values, begin_bit, end_bit);
    __syncthreads();
    key_exchange(storage_.keys).BlockedToStriped(keys, keys);
    if constexpr (has_values) value_exchange(storage_.values).BlockedToStriped(values, values);
  }

 private:
  template <bool Descends>
  SIMTLAB_CUB void sort(Key (&keys)[Items], Value (&values)[Items], int begin_bit, int end_bit) {
    for (int bit = begin_bit; bit < end_bit; ++bit) {
      int zeros[Items], before[Items], ranks[Items], all;
#pragma GCC unroll 32
      for (int index = 0; index < Items; ++index)
        zeros[index] = detail::radix_digit(keys[index], bit, bit + 1) == (Descends ? 1 : 0) ? 1 : 0;
      scan(storage_.sums).ExclusiveSum(zeros, before, all);
      const int first = detail::thread_rank() * Items;
#pragma GCC unroll 32
      for (int index = 0; index < Items; ++index)
        ranks[index] = zeros[index] != 0 ? before[index] : all + first + index - before[index];
      key_exchange(storage_.keys).ScatterToBlocked(keys, keys, ranks);
      if constexpr (has_values) value_exchange(storage_.values).ScatterToBlocked(values, values, ranks);
      __syncthreads();
    }
  }
  TempStorage& storage_;
};

}  // namespace cub
