// Two values, in host and device code.
#pragma once
#ifndef __clang__  // ../device_functions.h
#pragma GCC system_header
#endif

#include "tuple.h"

namespace thrust {

template <class First, class Second>
struct pair {
  using first_type = First;
  using second_type = Second;
  First first;
  Second second;

  pair() = default;
  SIMTLAB_THRUST constexpr pair(const First& one, const Second& other) : first(one), second(other) {}
  template <class OtherFirst, class OtherSecond>
  SIMTLAB_THRUST constexpr pair(const pair<OtherFirst, OtherSecond>& other)
      : first(other.first), second(other.second) {}
  template <class OtherFirst, class OtherSecond>
  SIMTLAB_THRUST constexpr pair(const std::pair<OtherFirst, OtherSecond>& other)
      : first(other.first), second(other.second) {}
};

template <class First, class Second>
SIMTLAB_THRUST constexpr pair<std::decay_t<First>, std::decay_t<Second>> make_pair(First&& first, Second&& second) {
  return {static_cast<First&&>(first), static_cast<Second&&>(second)};
}
template <class First, class Second>
SIMTLAB_THRUST constexpr bool operator==(const pair<First, Second>& one, const pair<First, Second>& other) {
  return one.first == other.first && one.second == other.second;
}
template <class First, class Second>
SIMTLAB_THRUST constexpr bool operator!=(const pair<First, Second>& one, const pair<First, Second>& other) {
  return !(one == other);
}
template <class First, class Second>
SIMTLAB_THRUST constexpr bool operator<(const pair<First, Second>& one, const pair<First, Second>& other) {
  return one.first < other.first || (!(other.first < one.first) && one.second < other.second);
}
template <size_t Index, class First, class Second>
SIMTLAB_THRUST constexpr auto& get(pair<First, Second>& of) {
  if constexpr (Index == 0) {
    return of.first;
  } else {
    return of.second;
  }
}
template <size_t Index, class First, class Second>
SIMTLAB_THRUST constexpr const auto& get(const pair<First, Second>& of) {
  if constexpr (Index == 0) {
    return of.first;
  } else {
    return of.second;
  }
}
template <size_t Index, class First, class Second>
SIMTLAB_THRUST constexpr auto get(pair<First, Second>&& of) {
  if constexpr (Index == 0) {
    return of.first;
  } else {
    return of.second;
  }
}

}  // namespace thrust

template <class First, class Second>
struct std::tuple_size<thrust::pair<First, Second>> : std::integral_constant<size_t, 2> {};
template <class First, class Second>
struct std::tuple_element<0, thrust::pair<First, Second>> {
  using type = First;
};
template <class First, class Second>
struct std::tuple_element<1, thrust::pair<First, Second>> {
  using type = Second;
};
