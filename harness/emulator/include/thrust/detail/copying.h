// Copies: between host and device by one cudaMemcpy where both sides are pointers, through memory of their own where they are not.
#pragma once
#ifndef __clang__  // ../../device_functions.h
#pragma GCC system_header
#endif

#include <memory>
#include <vector>

#include "../device_ptr.h"
#include "elementwise.h"

namespace thrust {
namespace detail {

template <class Policy, class From, class To>
SIMTLAB_THRUST_HOST void copy_there(const Policy& policy, From first, size_t count, To to) {
  const auto from = for_policy<Policy>(first);
  const auto target = for_policy<Policy>(to);
  run_each(
      policy, "thrust::copy", count,
      transforms<std::decay_t<decltype(from)>, std::decay_t<decltype(target)>, identity<>>{from, target, identity<>()});
}
template <class From, class To>
SIMTLAB_THRUST_HOST To to_device(From first, size_t count, To to) {
  using value = value_of<To>;
  const std::vector<value> values(first, first + static_cast<ptrdiff_t>(count));
  if (count == 0) return to;
  if constexpr (std::is_pointer_v<decltype(on_device(to))>) {
    check(cudaMemcpy(on_device(to), values.data(), count * sizeof(value), cudaMemcpyHostToDevice), "thrust::copy");
  } else {
    const scratch<stream_policy, value> kept(count);
    check(cudaMemcpy(kept.get(), values.data(), count * sizeof(value), cudaMemcpyHostToDevice), "thrust::copy");
    copy_there(stream_policy(), kept.get(), count, to);
  }
  return to + static_cast<ptrdiff_t>(count);
}
template <class From, class To>
SIMTLAB_THRUST_HOST To to_host(From first, size_t count, To to) {
  using value = value_of<From>;
  if (count == 0) return to;
  std::unique_ptr<value[]> values(new value[count]);
  if constexpr (std::is_pointer_v<decltype(on_device(first))>) {
    check(cudaMemcpy(values.get(), on_device(first), count * sizeof(value), cudaMemcpyDeviceToHost), "thrust::copy");
  } else {
    const scratch<stream_policy, value> kept(count);
    copy_there(stream_policy(), first, count, kept.get());
    check(cudaMemcpy(values.get(), kept.get(), count * sizeof(value), cudaMemcpyDeviceToHost), "thrust::copy");
  }
  for (size_t index = 0; index < count; ++index, ++to) *to = values[index];
  return to;
}

}  // namespace detail

template <class Policy, class From, class To>
SIMTLAB_THRUST_HOST To copy(const execution_policy<Policy>& policy, From first, From last, To to) {
  const size_t count = detail::length(first, last);
  detail::copy_there(policy.self(), first, count, to);
  return to + static_cast<ptrdiff_t>(count);
}
template <class From, class To, std::enable_if_t<!detail::is_policy<From>, int> = 0>
SIMTLAB_THRUST_HOST To copy(From first, From last, To to) {
  constexpr bool from_device = detail::place_of<From>::value == detail::place::device;
  constexpr bool to_device = detail::place_of<To>::value == detail::place::device;
  if constexpr (to_device && detail::place_of<From>::value == detail::place::host) {
    return detail::to_device(first, static_cast<size_t>(last - first), to);
  } else if constexpr (from_device && !to_device) {
    return detail::to_host(first, static_cast<size_t>(last - first), to);
  } else if constexpr (to_device) {
    return ::thrust::copy(device, first, last, to);
  } else {
    for (; first != last; ++first, ++to) *to = *first;
    return to;
  }
}
template <class From, class Size, class To, std::enable_if_t<!detail::is_policy<From>, int> = 0>
SIMTLAB_THRUST_HOST To copy_n(From first, Size count, To to) {
  return ::thrust::copy(first, first + static_cast<ptrdiff_t>(count), to);
}
template <class Policy, class From, class Size, class To>
SIMTLAB_THRUST_HOST To copy_n(const execution_policy<Policy>& policy, From first, Size count, To to) {
  return ::thrust::copy(policy, first, first + static_cast<ptrdiff_t>(count), to);
}

}  // namespace thrust
