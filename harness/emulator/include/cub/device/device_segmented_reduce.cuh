// One value of each segment of the elements, a thread a segment.
#pragma once
#ifndef __clang__  // ../../device_functions.h
#pragma GCC system_header
#endif

#include <limits>

#include "../detail/device_work.h"

namespace cub {
namespace detail {

template <class From, class To, class Begins, class Ends, class Function, class T>
struct reduces_segment {
  From from;
  To to;
  Begins begins;
  Ends ends;
  Function function;
  T first;
  SIMTLAB_THRUST void operator()(size_t segment) const {
    T value = first;
    const auto end = static_cast<ptrdiff_t>(ends[segment]);
    for (auto index = static_cast<ptrdiff_t>(begins[segment]); index < end; ++index)
      value = const_cast<Function&>(function)(value, from[index]);
    to[segment] = value;
  }
};

}  // namespace detail

struct DeviceSegmentedReduce {
  template <class From, class To, class Begins, class Ends, class Function, class T>
  static SIMTLAB_CUB_HOST cudaError_t Reduce(void* storage, size_t& bytes, From from, To to, int segments,
                                             Begins begins, Ends ends, Function function, T initial,
                                             cudaStream_t stream = nullptr) {
    detail::device_work work(storage, bytes, stream);
    return work.run([&] {
      thrust::detail::run_each(
          work.policy(), "cub::DeviceSegmentedReduce", static_cast<size_t>(segments),
          detail::reduces_segment<detail::device_iterator<From>, detail::device_iterator<To>,
                                  detail::device_iterator<Begins>, detail::device_iterator<Ends>, Function, T>{
              detail::on_device(from), detail::on_device(to), detail::on_device(begins), detail::on_device(ends),
              function, initial});
    });
  }
  template <class From, class To, class Begins, class Ends>
  static SIMTLAB_CUB_HOST cudaError_t Sum(void* storage, size_t& bytes, From from, To to, int segments, Begins begins,
                                          Ends ends, cudaStream_t stream = nullptr) {
    return Reduce(storage, bytes, from, to, segments, begins, ends, ::cub::Sum(), detail::output_of<To, From>{},
                  stream);
  }
  template <class From, class To, class Begins, class Ends>
  static SIMTLAB_CUB_HOST cudaError_t Min(void* storage, size_t& bytes, From from, To to, int segments, Begins begins,
                                          Ends ends, cudaStream_t stream = nullptr) {
    using value = detail::element_of<From>;
    return Reduce(storage, bytes, from, to, segments, begins, ends, ::cub::Min(), std::numeric_limits<value>::max(),
                  stream);
  }
  template <class From, class To, class Begins, class Ends>
  static SIMTLAB_CUB_HOST cudaError_t Max(void* storage, size_t& bytes, From from, To to, int segments, Begins begins,
                                          Ends ends, cudaStream_t stream = nullptr) {
    using value = detail::element_of<From>;
    return Reduce(storage, bytes, from, to, segments, begins, ends, ::cub::Max(), std::numeric_limits<value>::lowest(),
                  stream);
  }
};

}  // namespace cub
