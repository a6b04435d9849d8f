// One value of all lanes of a warp, or of a part of it whose size is a power of two, by shuffles. Lane 0 has the result.
#pragma once
#ifndef __clang__  // ../../device_functions.h
#pragma GCC system_header
#endif

#include "../detail/config.h"

namespace cub {

template <class T, int LogicalWarpThreads = 32, int = 0>
class WarpReduce {
  static_assert(LogicalWarpThreads > 0 && LogicalWarpThreads <= 32 &&
                    (LogicalWarpThreads & (LogicalWarpThreads - 1)) == 0,
                "the emulator's WarpReduce takes 1, 2, 4, 8, 16 or 32 threads");

 public:
  struct TempStorage {};
  SIMTLAB_CUB explicit WarpReduce(TempStorage&) {}

  SIMTLAB_CUB T Sum(T input) { return Reduce(input, ::cub::Sum()); }
  SIMTLAB_CUB T Sum(T input, int valid_items) { return Reduce(input, ::cub::Sum(), valid_items); }
  SIMTLAB_CUB T Max(T input) { return Reduce(input, ::cub::Max()); }
  SIMTLAB_CUB T Min(T input) { return Reduce(input, ::cub::Min()); }
  template <class Operator>
  SIMTLAB_CUB T Reduce(T input, Operator function) {
    return Reduce(input, function, LogicalWarpThreads);
  }
  /// Of the first `valid_items` lanes.
  template <class Operator>
  SIMTLAB_CUB T Reduce(T input, Operator function, int valid_items) {
    const int lane = detail::lane(), own = lane % LogicalWarpThreads;
    const unsigned mask = detail::mask_of(LogicalWarpThreads) << (lane - own);
    return of_lanes(input, function, valid_items, own, mask);
  }

  /// `own`: the lane in its logical warp; `mask`: the lanes that call.
  template <class Operator>
  static SIMTLAB_CUB T of_lanes(T input, Operator function, int valid_items, int own, unsigned mask) {
#pragma GCC unroll 8
    for (int by = 1; by < LogicalWarpThreads; by *= 2) {
      const T other = detail::shuffled_down(mask, input, by, LogicalWarpThreads);
      if (own + by < valid_items && own + by < LogicalWarpThreads) input = function(input, other);
    }
    return input;
  }
};

}  // namespace cub
