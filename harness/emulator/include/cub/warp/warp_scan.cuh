// Prefix sums over the lanes of a warp, or of a part of it whose size is a power of two, by shuffles.
#pragma once
#ifndef __clang__  // ../../device_functions.h
#pragma GCC system_header
#endif

#include "../detail/config.h"

namespace cub {

template <class T, int LogicalWarpThreads = 32, int = 0>
class WarpScan {
  static_assert(LogicalWarpThreads > 0 && LogicalWarpThreads <= 32 &&
                    (LogicalWarpThreads & (LogicalWarpThreads - 1)) == 0,
                "the emulator's WarpScan takes 1, 2, 4, 8, 16 or 32 threads");

 public:
  struct TempStorage {};
  SIMTLAB_CUB explicit WarpScan(TempStorage&) {}

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
    output = of_lanes(input, function, own(), mask());
  }
  template <class Operator>
  SIMTLAB_CUB void InclusiveScan(T input, T& output, Operator function, T& aggregate) {
    InclusiveScan(input, output, function);
    aggregate = detail::shuffled_from(mask(), output, LogicalWarpThreads - 1, LogicalWarpThreads);
  }
  template <class Operator>
  SIMTLAB_CUB void ExclusiveScan(T input, T& output, T initial, Operator function) {
    const T inclusive = of_lanes(input, function, own(), mask());
    const T before = detail::shuffled_up(mask(), inclusive, 1, LogicalWarpThreads);
    output = own() == 0 ? initial : static_cast<T>(function(initial, before));
  }
  template <class Operator>
  SIMTLAB_CUB void ExclusiveScan(T input, T& output, T initial, Operator function, T& aggregate) {
    const T inclusive = of_lanes(input, function, own(), mask());
    const T before = detail::shuffled_up(mask(), inclusive, 1, LogicalWarpThreads);
    aggregate = detail::shuffled_from(mask(), inclusive, LogicalWarpThreads - 1, LogicalWarpThreads);
    output = own() == 0 ? initial : static_cast<T>(function(initial, before));
  }
  /// Lane 0's output is undefined.
  template <class Operator>
  SIMTLAB_CUB void ExclusiveScan(T input, T& output, Operator function) {
    output = detail::shuffled_up(mask(), of_lanes(input, function, own(), mask()), 1, LogicalWarpThreads);
  }
  SIMTLAB_CUB T Broadcast(T input, unsigned lane) {
    return detail::shuffled_from(mask(), input, static_cast<int>(lane), LogicalWarpThreads);
  }

  template <class Operator>
  static SIMTLAB_CUB T of_lanes(T input, Operator function, int own, unsigned mask) {
#pragma GCC unroll 8
    for (int by = 1; by < LogicalWarpThreads; by *= 2) {
      const T before = detail::shuffled_up(mask, input, by, LogicalWarpThreads);
      if (own >= by) input = function(before, input);
    }
    return input;
  }

 private:
  static SIMTLAB_CUB int own() { return detail::lane() % LogicalWarpThreads; }
  static SIMTLAB_CUB unsigned mask() { return detail::mask_of(LogicalWarpThreads) << (detail::lane() - own()); }
};

}  // namespace cub
