// Prefix sums over the threads of a block, one or several elements each: each warp's by shuffles, then the warps before are added.
#pragma once
#ifndef __clang__  // ../../device_functions.h
#pragma GCC system_header
#endif

#include "../warp/warp_scan.cuh"

namespace cub {

enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

template <class T, int BlockDimX, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int BlockDimY = 1, int BlockDimZ = 1, int = 0>
class BlockScan {
  static constexpr int threads = BlockDimX * BlockDimY * BlockDimZ, warps = (threads + 31) / 32;

 public:
  struct TempStorage {
    detail::raw_array<T, warps> of_warp;
    detail::raw_array<T, 1> prefix;
  };
  SIMTLAB_CUB explicit BlockScan(TempStorage& storage) : storage_(storage) {
    detail::expect_threads<threads>("cub::BlockScan");
  }

  // One element a thread
  SIMTLAB_CUB void InclusiveSum(T input, T& output) { InclusiveScan(input, output, ::cub::Sum()); }
  SIMTLAB_CUB void InclusiveSum(T input, T& output, T& aggregate) {
    InclusiveScan(input, output, ::cub::Sum(), aggregate);
  }
  SIMTLAB_CUB void ExclusiveSum(T input, T& output) { ExclusiveScan(input, output, T(0), ::cub::Sum()); }
  SIMTLAB_CUB void ExclusiveSum(T input, T& output, T& aggregate) {
    ExclusiveScan(input, output, T(0), ::cub::Sum(), aggregate);
  }
  template <class Operator>
  SIMTLAB_CUB void InclusiveScan(T input, T& output, Operator function) {
    T aggregate;
    InclusiveScan(input, output, function, aggregate);
  }
  template <class Operator>
  SIMTLAB_CUB void InclusiveScan(T input, T& output, Operator function, T& aggregate) {
    const scanned s = scan(input, function);
    aggregate = s.aggregate;
    output = s.has_before ? static_cast<T>(function(s.before, input)) : input;
  }
  template <class Operator>
  SIMTLAB_CUB void ExclusiveScan(T input, T& output, T initial, Operator function) {
    T aggregate;
    ExclusiveScan(input, output, initial, function, aggregate);
  }
  /// The aggregate is that of the inputs, without the initial value.
  template <class Operator>
  SIMTLAB_CUB void ExclusiveScan(T input, T& output, T initial, Operator function, T& aggregate) {
    const scanned s = scan(input, function);
    aggregate = s.aggregate;
    output = s.has_before ? static_cast<T>(function(initial, s.before)) : initial;
  }
  /// Thread 0's output is undefined.
  template <class Operator>
  SIMTLAB_CUB void ExclusiveScan(T input, T& output, Operator function) {
    output = scan(input, function).before;
  }
  /// `prefix(aggregate)`, called by the first warp, gives what comes before the block.
  template <class Prefix, std::enable_if_t<std::is_class<Prefix>::value && !std::is_same<Prefix, T>::value, int> = 0>
  SIMTLAB_CUB void ExclusiveSum(T input, T& output, Prefix& prefix) {
    const scanned s = scan(input, ::cub::Sum());
    const T begin = prefix_of(prefix, s.aggregate);
    output = s.has_before ? static_cast<T>(begin + s.before) : begin;
  }
  template <class Prefix, std::enable_if_t<std::is_class<Prefix>::value && !std::is_same<Prefix, T>::value, int> = 0>
  SIMTLAB_CUB void InclusiveSum(T input, T& output, Prefix& prefix) {
    const scanned s = scan(input, ::cub::Sum());
    const T begin = prefix_of(prefix, s.aggregate);
    output = s.has_before ? static_cast<T>(begin + s.before + input) : static_cast<T>(begin + input);
  }

  // Several elements a thread, which lie side by side
  template <int Items>
  SIMTLAB_CUB void InclusiveSum(T (&inputs)[Items], T (&outputs)[Items]) {
    InclusiveScan(inputs, outputs, ::cub::Sum());
  }
  template <int Items>
  SIMTLAB_CUB void InclusiveSum(T (&inputs)[Items], T (&outputs)[Items], T& aggregate) {
    InclusiveScan(inputs, outputs, ::cub::Sum(), aggregate);
  }
  template <int Items>
  SIMTLAB_CUB void ExclusiveSum(T (&inputs)[Items], T (&outputs)[Items]) {
    ExclusiveScan(inputs, outputs, T(0), ::cub::Sum());
  }
  template <int Items>
  SIMTLAB_CUB void ExclusiveSum(T (&inputs)[Items], T (&outputs)[Items], T& aggregate) {
    ExclusiveScan(inputs, outputs, T(0), ::cub::Sum(), aggregate);
  }
  template <int Items, class Prefix,
            std::enable_if_t<std::is_class<Prefix>::value && !std::is_same<Prefix, T>::value, int> = 0>
  SIMTLAB_CUB void ExclusiveSum(T (&inputs)[Items], T (&outputs)[Items], Prefix& prefix) {
    const scanned s = scan(together(inputs, ::cub::Sum()), ::cub::Sum());
    const T begin = prefix_of(prefix, s.aggregate);
    leave_exclusive(inputs, outputs, s.has_before ? static_cast<T>(begin + s.before) : begin, ::cub::Sum());
  }
  template <int Items, class Operator>
  SIMTLAB_CUB void InclusiveScan(T (&inputs)[Items], T (&outputs)[Items], Operator function) {
    T aggregate;
    InclusiveScan(inputs, outputs, function, aggregate);
  }
  template <int Items, class Operator>
  SIMTLAB_CUB void InclusiveScan(T (&inputs)[Items], T (&outputs)[Items], Operator function, T& aggregate) {
    const scanned s = scan(together(inputs, function), function);
    aggregate = s.aggregate;
    T sum = s.has_before ? static_cast<T>(function(s.before, inputs[0])) : inputs[0];
    outputs[0] = sum;
#pragma GCC unroll 32
    for (int index = 1; index < Items; ++index) outputs[index] = sum = function(sum, inputs[index]);
  }
  template <int Items, class Operator>
  SIMTLAB_CUB void ExclusiveScan(T (&inputs)[Items], T (&outputs)[Items], T initial, Operator function) {
    T aggregate;
    ExclusiveScan(inputs, outputs, initial, function, aggregate);
  }
  template <int Items, class Operator>
  SIMTLAB_CUB void ExclusiveScan(T (&inputs)[Items], T (&outputs)[Items], T initial, Operator function, T& aggregate) {
    const scanned s = scan(together(inputs, function), function);
    aggregate = s.aggregate;
    leave_exclusive(inputs, outputs, s.has_before ? static_cast<T>(function(initial, s.before)) : initial, function);
  }

 private:
  struct scanned {
    T before;  ///< of all threads before, where there are some
    bool has_before;
    T aggregate;
  };
  template <class Operator>
  SIMTLAB_CUB scanned scan(T input, Operator function) {
    const int thread = detail::thread_rank(), warp = thread / 32, lane = thread % 32;
    const int lanes = detail::lanes_of(threads, warp);
    const unsigned mask = detail::mask_of(lanes);
    const T inclusive = WarpScan<T>::of_lanes(input, function, lane, mask);
    T before = detail::shuffled_up(mask, inclusive, 1, 32);
    if (lane == lanes - 1) storage_.of_warp[warp] = inclusive;
    __syncthreads();
    T all = storage_.of_warp[0];
#pragma GCC unroll 32
    for (int other = 1; other < warps; ++other) {
      if (other == warp) before = lane == 0 ? all : static_cast<T>(function(all, before));
      all = function(all, storage_.of_warp[other]);
    }
    return {before, thread > 0, all};
  }
  template <int Items, class Operator>
  static SIMTLAB_CUB T together(T (&inputs)[Items], Operator function) {
    T all = inputs[0];
#pragma GCC unroll 32
    for (int index = 1; index < Items; ++index) all = function(all, inputs[index]);
    return all;
  }
  template <int Items, class Operator>
  static SIMTLAB_CUB void leave_exclusive(T (&inputs)[Items], T (&outputs)[Items], T sum, Operator function) {
#pragma GCC unroll 32
    for (int index = 0; index < Items; ++index) {
      const T input = inputs[index];
      outputs[index] = sum;
      sum = function(sum, input);
    }
  }
  template <class Prefix>
  SIMTLAB_CUB T prefix_of(Prefix& prefix, T aggregate) {
    const int thread = detail::thread_rank();
    if (thread < 32) {
      const T begin = prefix(aggregate);
      if (thread == 0) storage_.prefix[0] = begin;
    }
    __syncthreads();
    return storage_.prefix[0];
  }
  TempStorage& storage_;
};

}  // namespace cub
