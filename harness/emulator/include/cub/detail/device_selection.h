// Elements that are wanted in their order, the others to a place of their own, and how many are wanted.
#pragma once
#ifndef __clang__  // ../../device_functions.h
#pragma GCC system_header
#endif

#include "device_work.h"

namespace cub::detail {

/// `rest_of(to, number)`: where the others go, of `number` elements whose wanted ones go to `to`.
template <class From, class Marks, class To, class RestOf, class Selected, class Count, class Predicate>
SIMTLAB_CUB_HOST cudaError_t select(void* storage, size_t& bytes, const char* name, From from, Marks marks, To to,
                                    RestOf rest_of, Selected selected, Count count, Predicate predicate,
                                    cudaStream_t stream) {
  using target = device_iterator<To>;
  using rest = decltype(rest_of(std::declval<target>(), size_t{}));
  device_work work(storage, bytes, stream);
  auto* const taken = work.room<size_t>(1);
  return work.run([&] {
    const auto number = static_cast<size_t>(count);
    const target all = on_device(to);
    thrust::detail::run_once(
        work.policy(), name,
        thrust::detail::selects<device_iterator<From>, device_iterator<Marks>, target, rest, Predicate>{
            on_device(from), on_device(marks), all, rest_of(all, number), number, predicate, taken});
    copy(work, name, taken, selected, 1);
  });
}

}  // namespace cub::detail
