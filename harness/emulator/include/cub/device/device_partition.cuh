// All elements: those that are wanted in their order, the others behind them from the end on.
#pragma once
#ifndef __clang__  // ../../device_functions.h
#pragma GCC system_header
#endif

#include "../detail/device_selection.h"

namespace cub {
namespace detail {

/// The places of a range from its end on.
template <class To>
struct from_the_end {
  To to;
  size_t count;
  SIMTLAB_THRUST decltype(auto) operator[](size_t index) const { return to[count - 1 - index]; }
};

}  // namespace detail

struct DevicePartition {
  template <class From, class To, class Selected, class Count, class Predicate>
  static SIMTLAB_CUB_HOST cudaError_t If(void* storage, size_t& bytes, From from, To to, Selected selected, Count count,
                                         Predicate predicate, cudaStream_t stream = nullptr) {
    return parted(storage, bytes, "cub::DevicePartition::If", from, from, to, selected, count, predicate, stream);
  }
  template <class From, class Flags, class To, class Selected, class Count>
  static SIMTLAB_CUB_HOST cudaError_t Flagged(void* storage, size_t& bytes, From from, Flags flags, To to,
                                              Selected selected, Count count, cudaStream_t stream = nullptr) {
    return parted(storage, bytes, "cub::DevicePartition::Flagged", from, flags, to, selected, count,
                  thrust::detail::is_true(), stream);
  }

 private:
  template <class From, class Marks, class To, class Selected, class Count, class Predicate>
  static SIMTLAB_CUB_HOST cudaError_t parted(void* storage, size_t& bytes, const char* name, From from, Marks marks,
                                             To to, Selected selected, Count count, Predicate predicate,
                                             cudaStream_t stream) {
    const auto rest_of = [](auto all, size_t number) { return detail::from_the_end<decltype(all)>{all, number}; };
    return detail::select(storage, bytes, name, from, marks, to, rest_of, selected, count, predicate, stream);
  }
};

}  // namespace cub
