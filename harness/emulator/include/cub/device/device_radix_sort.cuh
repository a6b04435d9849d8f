// Sorts numbers by their bits, stably, alone or with values.
#pragma once
#ifndef __clang__  // ../../device_functions.h
#pragma GCC system_header
#endif

#include "../detail/device_work.h"
#include "../detail/radix_bits.h"
#include "../util_type.cuh"

namespace cub {

struct DeviceRadixSort {
  template <class Key, class Count>
  static SIMTLAB_CUB_HOST cudaError_t SortKeys(void* storage, size_t& bytes, const Key* from, Key* to, Count count,
                                               int begin_bit = 0, int end_bit = 8 * sizeof(Key),
                                               cudaStream_t stream = nullptr) {
    return sorted<false>(storage, bytes, from, to, no_values(), no_values(), count, begin_bit, end_bit, stream);
  }
  template <class Key, class Count>
  static SIMTLAB_CUB_HOST cudaError_t SortKeysDescending(void* storage, size_t& bytes, const Key* from, Key* to,
                                                         Count count, int begin_bit = 0, int end_bit = 8 * sizeof(Key),
                                                         cudaStream_t stream = nullptr) {
    return sorted<true>(storage, bytes, from, to, no_values(), no_values(), count, begin_bit, end_bit, stream);
  }
  template <class Key, class Value, class Count>
  static SIMTLAB_CUB_HOST cudaError_t SortPairs(void* storage, size_t& bytes, const Key* from, Key* to,
                                                const Value* values, Value* to_values, Count count, int begin_bit = 0,
                                                int end_bit = 8 * sizeof(Key), cudaStream_t stream = nullptr) {
    return sorted<false>(storage, bytes, from, to, values, to_values, count, begin_bit, end_bit, stream);
  }
  template <class Key, class Value, class Count>
  static SIMTLAB_CUB_HOST cudaError_t SortPairsDescending(void* storage, size_t& bytes, const Key* from, Key* to,
                                                          const Value* values, Value* to_values, Count count,
                                                          int begin_bit = 0, int end_bit = 8 * sizeof(Key),
                                                          cudaStream_t stream = nullptr) {
    return sorted<true>(storage, bytes, from, to, values, to_values, count, begin_bit, end_bit, stream);
  }
  // Between two buffers: the sorted ones are in Current().
  template <class Key, class Count>
  static SIMTLAB_CUB_HOST cudaError_t SortKeys(void* storage, size_t& bytes, DoubleBuffer<Key>& keys, Count count,
                                               int begin_bit = 0, int end_bit = 8 * sizeof(Key),
                                               cudaStream_t stream = nullptr) {
    return sorted_between<false>(storage, bytes, keys, no_values(), no_values(), count, begin_bit, end_bit, stream);
  }
  template <class Key, class Count>
  static SIMTLAB_CUB_HOST cudaError_t SortKeysDescending(void* storage, size_t& bytes, DoubleBuffer<Key>& keys,
                                                         Count count, int begin_bit = 0, int end_bit = 8 * sizeof(Key),
                                                         cudaStream_t stream = nullptr) {
    return sorted_between<true>(storage, bytes, keys, no_values(), no_values(), count, begin_bit, end_bit, stream);
  }
  template <class Key, class Value, class Count>
  static SIMTLAB_CUB_HOST cudaError_t SortPairs(void* storage, size_t& bytes, DoubleBuffer<Key>& keys,
                                                DoubleBuffer<Value>& values, Count count, int begin_bit = 0,
                                                int end_bit = 8 * sizeof(Key), cudaStream_t stream = nullptr) {
    return sorted_between<false>(storage, bytes, keys, values.Current(), values.Alternate(), count, begin_bit, end_bit,
                                 stream);
  }
  template <class Key, class Value, class Count>
  static SIMTLAB_CUB_HOST cudaError_t SortPairsDescending(void* storage, size_t& bytes, DoubleBuffer<Key>& keys,
                                                          DoubleBuffer<Value>& values, Count count, int begin_bit = 0,
                                                          int end_bit = 8 * sizeof(Key),
                                                          cudaStream_t stream = nullptr) {
    return sorted_between<true>(storage, bytes, keys, values.Current(), values.Alternate(), count, begin_bit, end_bit,
                                stream);
  }

 private:
  using no_values = thrust::discard_iterator<>;
  template <class Values>
  static constexpr bool are_values = !std::is_same<Values, no_values>::value;

  template <bool Descends, class Key, class Values, class ToValues, class Count>
  static SIMTLAB_CUB_HOST cudaError_t sorted(void* storage, size_t& bytes, const Key* from, Key* to, Values values,
                                             ToValues to_values, Count count, int begin_bit, int end_bit,
                                             cudaStream_t stream) {
    detail::device_work work(storage, bytes, stream);
    const auto n = static_cast<size_t>(count);
    constexpr const char* name = "cub::DeviceRadixSort";
    Key* const other = work.room<Key>(n);
    const detail::radix_less<Key, Descends> less{begin_bit, end_bit};
    if constexpr (are_values<ToValues>) {
      auto* const other_values = work.room<std::remove_pointer_t<ToValues>>(n);
      return work.run([&] {
        detail::copy(work, name, from, to, n);
        detail::copy(work, name, values, to_values, n);
        thrust::detail::sorted(work.policy(), name, to, to_values, other, other_values, n, less);
      });
    } else {
      return work.run([&] {
        detail::copy(work, name, from, to, n);
        thrust::detail::sorted(work.policy(), name, to, to_values, other, to_values, n, less);
      });
    }
  }
  template <bool Descends, class Key, class Values, class Count>
  static SIMTLAB_CUB_HOST cudaError_t sorted_between(void* storage, size_t& bytes, DoubleBuffer<Key>& keys,
                                                     Values values, Values other_values, Count count, int begin_bit,
                                                     int end_bit, cudaStream_t stream) {
    detail::device_work work(storage, bytes, stream);
    return work.run([&] {
      thrust::detail::sorted(work.policy(), "cub::DeviceRadixSort", keys.Current(), values, keys.Alternate(),
                             other_values, static_cast<size_t>(count),
                             detail::radix_less<Key, Descends>{begin_bit, end_bit});
    });
  }
};

}  // namespace cub
