// One value of all elements, and sums of elements with equal keys.
#pragma once
#ifndef __clang__  // ../../device_functions.h
#pragma GCC system_header
#endif

#include <limits>

#include "../../thrust/iterator/constant_iterator.h"
#include "../../thrust/iterator/counting_iterator.h"
#include "../detail/device_work.h"

namespace cub {
namespace detail {

constexpr size_t most_parts = 4096, least_part = 16;
struct parts {
  size_t length, count;
};
SIMTLAB_CUB_HOST parts parts_of(size_t count) {
  size_t length = (count + most_parts - 1) / most_parts;
  if (length < least_part) length = least_part;
  return {length, (count + length - 1) / length};
}

/// `to` gets function(...function(first, map(0))..., map(count - 1)), as thrust::reduce has it.
template <class T, class Map, class To, class Function>
SIMTLAB_CUB_HOST cudaError_t reduced(void* storage, size_t& bytes, const char* name, Map map, To to, size_t count,
                                     Function function, T first, cudaStream_t stream) {
  device_work work(storage, bytes, stream);
  const parts p = parts_of(count);
  T* const results = work.room<T>(p.count);
  return work.run([&] {
    if (count == 0) return fill(work, name, to, 1, first);
    thrust::detail::run_each(work.policy(), name, p.count,
                             thrust::detail::reduces_part<T, Map, Function>{map, function, results, count, p.length});
    thrust::detail::run_once(work.policy(), name,
                             thrust::detail::reduces_parts<T, Function>{results, p.count, first, function});
    copy(work, name, results, to, 1);
  });
}
template <class From>
struct numbered_element {
  From from;
  using pair = KeyValuePair<int, std::decay_t<decltype(std::declval<const From&>()[0])>>;
  SIMTLAB_THRUST pair operator()(size_t index) const { return {static_cast<int>(index), from[index]}; }
};
template <class Key, class Index>
struct stores_pair {
  const KeyValuePair<int, Key>* pair;
  Key* value;
  Index* index;
  SIMTLAB_THRUST void operator()(size_t) const {
    *value = pair->value;
    *index = static_cast<Index>(pair->key);
  }
};

}  // namespace detail

struct DeviceReduce {
  template <class From, class To, class Function, class T, class Count>
  static SIMTLAB_CUB_HOST cudaError_t Reduce(void* storage, size_t& bytes, From from, To to, Count count,
                                             Function function, T initial, cudaStream_t stream = nullptr) {
    using sum = std::decay_t<decltype(function(initial, std::declval<detail::element_of<From>>()))>;
    const auto at = detail::on_device(from);
    return detail::reduced<sum>(storage, bytes, "cub::DeviceReduce::Reduce",
                                thrust::detail::element_of<std::decay_t<decltype(at)>>{at}, to,
                                static_cast<size_t>(count), function, static_cast<sum>(initial), stream);
  }
  template <class From, class To, class Count>
  static SIMTLAB_CUB_HOST cudaError_t Sum(void* storage, size_t& bytes, From from, To to, Count count,
                                          cudaStream_t stream = nullptr) {
    using sum = detail::output_of<To, From>;
    return Reduce(storage, bytes, from, to, count, ::cub::Sum(), sum{}, stream);
  }
  template <class From, class To, class Count>
  static SIMTLAB_CUB_HOST cudaError_t Min(void* storage, size_t& bytes, From from, To to, Count count,
                                          cudaStream_t stream = nullptr) {
    using value = detail::element_of<From>;
    return Reduce(storage, bytes, from, to, count, ::cub::Min(), std::numeric_limits<value>::max(), stream);
  }
  template <class From, class To, class Count>
  static SIMTLAB_CUB_HOST cudaError_t Max(void* storage, size_t& bytes, From from, To to, Count count,
                                          cudaStream_t stream = nullptr) {
    using value = detail::element_of<From>;
    return Reduce(storage, bytes, from, to, count, ::cub::Max(), std::numeric_limits<value>::lowest(), stream);
  }
  template <class From, class To, class Count, class Function, class Transform, class T>
  static SIMTLAB_CUB_HOST cudaError_t TransformReduce(void* storage, size_t& bytes, From from, To to, Count count,
                                                      Function function, Transform transform, T initial,
                                                      cudaStream_t stream = nullptr) {
    const auto at = detail::on_device(from);
    return detail::reduced<T>(storage, bytes, "cub::DeviceReduce::TransformReduce",
                              thrust::detail::transformed_element<std::decay_t<decltype(at)>, Transform>{at, transform},
                              to, static_cast<size_t>(count), function, initial, stream);
  }
  /// A pair of the smallest element's index and the element.
  template <class From, class To, class Count, std::enable_if_t<std::is_integral<Count>::value, int> = 0>
  static SIMTLAB_CUB_HOST cudaError_t ArgMin(void* storage, size_t& bytes, From from, To to, Count count,
                                             cudaStream_t stream = nullptr) {
    using value = detail::element_of<From>;
    return best(storage, bytes, from, to, count, ::cub::ArgMin(), std::numeric_limits<value>::max(), stream);
  }
  template <class From, class To, class Count, std::enable_if_t<std::is_integral<Count>::value, int> = 0>
  static SIMTLAB_CUB_HOST cudaError_t ArgMax(void* storage, size_t& bytes, From from, To to, Count count,
                                             cudaStream_t stream = nullptr) {
    using value = detail::element_of<From>;
    return best(storage, bytes, from, to, count, ::cub::ArgMax(), std::numeric_limits<value>::lowest(), stream);
  }
  /// The same, element and index to places of their own.
  template <class From, class T, class Index, class Count>
  static SIMTLAB_CUB_HOST cudaError_t ArgMin(void* storage, size_t& bytes, From from, T* value, Index* index,
                                             Count count, cudaStream_t stream = nullptr) {
    return best_apart(storage, bytes, from, value, index, count, ::cub::ArgMin(), std::numeric_limits<T>::max(),
                      stream);
  }
  template <class From, class T, class Index, class Count>
  static SIMTLAB_CUB_HOST cudaError_t ArgMax(void* storage, size_t& bytes, From from, T* value, Index* index,
                                             Count count, cudaStream_t stream = nullptr) {
    return best_apart(storage, bytes, from, value, index, count, ::cub::ArgMax(), std::numeric_limits<T>::lowest(),
                      stream);
  }
  template <class Keys, class ToKeys, class Values, class ToValues, class Runs, class Function, class Count>
  static SIMTLAB_CUB_HOST cudaError_t ReduceByKey(void* storage, size_t& bytes, Keys keys, ToKeys to_keys,
                                                  Values values, ToValues to_values, Runs runs, Function function,
                                                  Count count, cudaStream_t stream = nullptr) {
    return by_key<detail::element_of<Values>>(storage, bytes, "cub::DeviceReduce::ReduceByKey", keys, to_keys, values,
                                              to_values, runs, function, static_cast<size_t>(count), stream);
  }

  /// `T`: what values are summed up as.
  template <class T, class Keys, class ToKeys, class Values, class ToValues, class Runs, class Function>
  static SIMTLAB_CUB_HOST cudaError_t by_key(void* storage, size_t& bytes, const char* name, Keys keys, ToKeys to_keys,
                                             Values values, ToValues to_values, Runs runs, Function function,
                                             size_t count, cudaStream_t stream) {
    detail::device_work work(storage, bytes, stream);
    auto* const written = work.room<size_t>(1);
    return work.run([&] {
      if (count == 0) return detail::fill(work, name, runs, 1, 0);
      thrust::detail::run_once(
          work.policy(), name,
          thrust::detail::reduces_by_key<detail::device_iterator<Keys>, detail::device_iterator<Values>,
                                         detail::device_iterator<ToKeys>, detail::device_iterator<ToValues>,
                                         thrust::equal_to<>, Function, detail::element_of<Keys>, T>{
              detail::on_device(keys), detail::on_device(values), detail::on_device(to_keys),
              detail::on_device(to_values), count, thrust::equal_to<>(), function, written});
      detail::copy(work, name, written, runs, 1);
    });
  }

 private:
  template <class From, class To, class Count, class Better, class T>
  static SIMTLAB_CUB_HOST cudaError_t best(void* storage, size_t& bytes, From from, To to, Count count, Better better,
                                           T worst, cudaStream_t stream) {
    using map = detail::numbered_element<detail::device_iterator<From>>;
    const typename map::pair first{count == 0 ? 1 : std::numeric_limits<int>::max(), worst};
    return detail::reduced<typename map::pair>(storage, bytes, "cub::DeviceReduce::ArgMin or ArgMax",
                                               map{detail::on_device(from)}, to, static_cast<size_t>(count), better,
                                               first, stream);
  }
  template <class From, class T, class Index, class Count, class Better>
  static SIMTLAB_CUB_HOST cudaError_t best_apart(void* storage, size_t& bytes, From from, T* value, Index* index,
                                                 Count count, Better better, T worst, cudaStream_t stream) {
    using pair = KeyValuePair<int, T>;
    detail::device_work work(storage, bytes, stream);
    pair* const found = work.room<pair>(1);
    size_t inner = 0;
    best(nullptr, inner, from, found, count, better, worst, stream);
    char* const rest = work.room<char>(inner);
    return work.run([&] {
      thrust::detail::check(best(rest, inner, from, found, count, better, worst, stream), "cub::DeviceReduce");
      thrust::detail::run_each(work.policy(), "cub::DeviceReduce::ArgMin or ArgMax", 1,
                               detail::stores_pair<T, Index>{found, value, index});
    });
  }
};

}  // namespace cub
