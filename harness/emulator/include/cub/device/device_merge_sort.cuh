// Sorts by any comparison, in place.
#pragma once
#ifndef __clang__  // ../../device_functions.h
#pragma GCC system_header
#endif

#include "../detail/device_work.h"

namespace cub {

struct DeviceMergeSort {
  template <class Keys, class Count, class Less>
  static SIMTLAB_CUB_HOST cudaError_t StableSortKeys(void* storage, size_t& bytes, Keys keys, Count count, Less less,
                                                     cudaStream_t stream = nullptr) {
    detail::device_work work(storage, bytes, stream);
    const auto n = static_cast<size_t>(count);
    auto* const other = work.room<detail::element_of<Keys>>(n);
    const thrust::discard_iterator<> none;
    return work.run([&] {
      thrust::detail::sorted(work.policy(), "cub::DeviceMergeSort", detail::on_device(keys), none, other, none, n,
                             less);
    });
  }
  template <class Keys, class Values, class Count, class Less>
  static SIMTLAB_CUB_HOST cudaError_t StableSortPairs(void* storage, size_t& bytes, Keys keys, Values values,
                                                      Count count, Less less, cudaStream_t stream = nullptr) {
    detail::device_work work(storage, bytes, stream);
    const auto n = static_cast<size_t>(count);
    auto* const other = work.room<detail::element_of<Keys>>(n);
    auto* const other_values = work.room<detail::element_of<Values>>(n);
    return work.run([&] {
      thrust::detail::sorted(work.policy(), "cub::DeviceMergeSort", detail::on_device(keys), detail::on_device(values),
                             other, other_values, n, less);
    });
  }
  template <class Keys, class Count, class Less>
  static SIMTLAB_CUB_HOST cudaError_t SortKeys(void* storage, size_t& bytes, Keys keys, Count count, Less less,
                                               cudaStream_t stream = nullptr) {
    return StableSortKeys(storage, bytes, keys, count, less, stream);
  }
  template <class Keys, class Values, class Count, class Less>
  static SIMTLAB_CUB_HOST cudaError_t SortPairs(void* storage, size_t& bytes, Keys keys, Values values, Count count,
                                                Less less, cudaStream_t stream = nullptr) {
    return StableSortPairs(storage, bytes, keys, values, count, less, stream);
  }
};

}  // namespace cub
