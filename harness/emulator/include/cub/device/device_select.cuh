// Some of the elements, in their order, and how many they are.
#pragma once
#ifndef __clang__  // ../../device_functions.h
#pragma GCC system_header
#endif

#include "../detail/device_selection.h"

namespace cub {

struct DeviceSelect {
  template <class From, class To, class Selected, class Count, class Predicate>
  static SIMTLAB_CUB_HOST cudaError_t If(void* storage, size_t& bytes, From from, To to, Selected selected, Count count,
                                         Predicate predicate, cudaStream_t stream = nullptr) {
    return kept(storage, bytes, "cub::DeviceSelect::If", from, from, to, selected, count, predicate, stream);
  }
  template <class From, class Flags, class To, class Selected, class Count>
  static SIMTLAB_CUB_HOST cudaError_t Flagged(void* storage, size_t& bytes, From from, Flags flags, To to,
                                              Selected selected, Count count, cudaStream_t stream = nullptr) {
    return kept(storage, bytes, "cub::DeviceSelect::Flagged", from, flags, to, selected, count,
                thrust::detail::is_true(), stream);
  }
  /// Of equal neighbours the first.
  template <class From, class To, class Selected, class Count>
  static SIMTLAB_CUB_HOST cudaError_t Unique(void* storage, size_t& bytes, From from, To to, Selected selected,
                                             Count count, cudaStream_t stream = nullptr) {
    detail::device_work work(storage, bytes, stream);
    auto* const written = work.room<size_t>(1);
    constexpr const char* name = "cub::DeviceSelect::Unique";
    return work.run([&] {
      if (count == 0) return detail::fill(work, name, selected, 1, 0);
      using values = thrust::constant_iterator<int>;
      thrust::detail::run_once(
          work.policy(), name,
          thrust::detail::keeps_first<detail::device_iterator<From>, values, detail::device_iterator<To>,
                                      thrust::discard_iterator<>, thrust::equal_to<>, detail::element_of<From>>{
              detail::on_device(from), values(0), detail::on_device(to), thrust::discard_iterator<>(),
              static_cast<size_t>(count), thrust::equal_to<>(), written});
      detail::copy(work, name, written, selected, 1);
    });
  }

 private:
  template <class From, class Marks, class To, class Selected, class Count, class Predicate>
  static SIMTLAB_CUB_HOST cudaError_t kept(void* storage, size_t& bytes, const char* name, From from, Marks marks,
                                           To to, Selected selected, Count count, Predicate predicate,
                                           cudaStream_t stream) {
    const auto rest_of = [](auto, size_t) { return thrust::discard_iterator<>(); };
    return detail::select(storage, bytes, name, from, marks, to, rest_of, selected, count, predicate, stream);
  }
};

}  // namespace cub
