// Prefix sums of all elements, and of those with equal keys.
#pragma once
#ifndef __clang__  // ../../device_functions.h
#pragma GCC system_header
#endif

#include "../detail/device_work.h"

namespace cub {

struct DeviceScan {
  template <class From, class To, class Count>
  static SIMTLAB_CUB_HOST cudaError_t InclusiveSum(void* storage, size_t& bytes, From from, To to, Count count,
                                                   cudaStream_t stream = nullptr) {
    return InclusiveScan(storage, bytes, from, to, ::cub::Sum(), count, stream);
  }
  template <class From, class To, class Count>
  static SIMTLAB_CUB_HOST cudaError_t ExclusiveSum(void* storage, size_t& bytes, From from, To to, Count count,
                                                   cudaStream_t stream = nullptr) {
    return ExclusiveScan(storage, bytes, from, to, ::cub::Sum(), detail::element_of<From>{}, count, stream);
  }
  template <class From, class To, class Function, class Count>
  static SIMTLAB_CUB_HOST cudaError_t InclusiveScan(void* storage, size_t& bytes, From from, To to, Function function,
                                                    Count count, cudaStream_t stream = nullptr) {
    using sum = detail::element_of<From>;
    return scanned<true, sum>(storage, bytes, "cub::DeviceScan::InclusiveScan", thrust::constant_iterator<int>(0), from,
                              to, function, sum{}, false, count, thrust::detail::always_same(), stream);
  }
  template <class From, class To, class Function, class T, class Count>
  static SIMTLAB_CUB_HOST cudaError_t InclusiveScanInit(void* storage, size_t& bytes, From from, To to,
                                                        Function function, T initial, Count count,
                                                        cudaStream_t stream = nullptr) {
    return scanned<true, T>(storage, bytes, "cub::DeviceScan::InclusiveScanInit", thrust::constant_iterator<int>(0),
                            from, to, function, initial, true, count, thrust::detail::always_same(), stream);
  }
  template <class From, class To, class Function, class T, class Count>
  static SIMTLAB_CUB_HOST cudaError_t ExclusiveScan(void* storage, size_t& bytes, From from, To to, Function function,
                                                    T initial, Count count, cudaStream_t stream = nullptr) {
    return scanned<false, T>(storage, bytes, "cub::DeviceScan::ExclusiveScan", thrust::constant_iterator<int>(0), from,
                             to, function, initial, true, count, thrust::detail::always_same(), stream);
  }
  template <class Keys, class From, class To, class Count, class Same = thrust::equal_to<>>
  static SIMTLAB_CUB_HOST cudaError_t InclusiveSumByKey(void* storage, size_t& bytes, Keys keys, From from, To to,
                                                        Count count, Same same = Same(),
                                                        cudaStream_t stream = nullptr) {
    using sum = detail::element_of<From>;
    return scanned<true, sum>(storage, bytes, "cub::DeviceScan::InclusiveSumByKey", keys, from, to, ::cub::Sum(), sum{},
                              false, count, same, stream);
  }
  template <class Keys, class From, class To, class Count, class Same = thrust::equal_to<>>
  static SIMTLAB_CUB_HOST cudaError_t ExclusiveSumByKey(void* storage, size_t& bytes, Keys keys, From from, To to,
                                                        Count count, Same same = Same(),
                                                        cudaStream_t stream = nullptr) {
    using sum = detail::element_of<From>;
    return scanned<false, sum>(storage, bytes, "cub::DeviceScan::ExclusiveSumByKey", keys, from, to, ::cub::Sum(),
                               sum{}, true, count, same, stream);
  }
  // In place
  template <class At, class Count, std::enable_if_t<std::is_integral<Count>::value, int> = 0>
  static SIMTLAB_CUB_HOST cudaError_t InclusiveSum(void* storage, size_t& bytes, At at, Count count,
                                                   cudaStream_t stream = nullptr) {
    return InclusiveSum(storage, bytes, at, at, count, stream);
  }
  template <class At, class Count, std::enable_if_t<std::is_integral<Count>::value, int> = 0>
  static SIMTLAB_CUB_HOST cudaError_t ExclusiveSum(void* storage, size_t& bytes, At at, Count count,
                                                   cudaStream_t stream = nullptr) {
    return ExclusiveSum(storage, bytes, at, at, count, stream);
  }

 private:
  template <bool Inclusive, class T, class Keys, class From, class To, class Function, class Count, class Same>
  static SIMTLAB_CUB_HOST cudaError_t scanned(void* storage, size_t& bytes, const char* name, Keys keys, From from,
                                              To to, Function function, T initial, bool has_initial, Count count,
                                              Same same, cudaStream_t stream) {
    detail::device_work work(storage, bytes, stream);
    return work.run([&] {
      thrust::detail::scanned<Inclusive, T>(work.policy(), name, keys, from, static_cast<size_t>(count), to, initial,
                                            has_initial, same, thrust::detail::as_it_is(), function);
    });
  }
};

}  // namespace cub
