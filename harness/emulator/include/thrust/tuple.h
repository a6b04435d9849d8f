// Tuples of values or of references, in host and device code. Assigning to a tuple of references assigns to what they refer to.
#pragma once
#ifndef __clang__  // ../device_functions.h
#pragma GCC system_header
#endif

#include <tuple>
#include <type_traits>
#include <utility>

#include "detail/config.h"

namespace thrust {

template <class... Types>
class tuple;

namespace detail {

template <size_t Index, class Type>
struct tuple_leaf {
  Type value;
};
template <class Indices, class... Types>
struct tuple_leaves;
template <size_t... Index, class... Types>
struct tuple_leaves<std::index_sequence<Index...>, Types...> : tuple_leaf<Index, Types>... {
  tuple_leaves() = default;
  template <class... Given>
  SIMTLAB_THRUST constexpr explicit tuple_leaves(int, Given&&... given)
      : tuple_leaf<Index, Types>{static_cast<Given&&>(given)}... {}
};
template <size_t Index, class Type>
SIMTLAB_THRUST constexpr Type& leaf_of(tuple_leaf<Index, Type>& leaf) {
  return leaf.value;
}
template <size_t Index, class Type>
SIMTLAB_THRUST constexpr const Type& leaf_of(const tuple_leaf<Index, Type>& leaf) {
  return leaf.value;
}
template <class Type>
struct is_tuple : std::false_type {};
template <class... Types>
struct is_tuple<tuple<Types...>> : std::true_type {};

}  // namespace detail

template <size_t Index, class... Types>
SIMTLAB_THRUST constexpr decltype(auto) get(tuple<Types...>& of) {
  return detail::leaf_of<Index>(of.leaves);
}
template <size_t Index, class... Types>
SIMTLAB_THRUST constexpr decltype(auto) get(const tuple<Types...>& of) {
  return detail::leaf_of<Index>(of.leaves);
}
template <size_t Index, class... Types>
SIMTLAB_THRUST constexpr decltype(auto) get(tuple<Types...>&& of) {
  return static_cast<std::tuple_element_t<Index, std::tuple<Types...>>&&>(detail::leaf_of<Index>(of.leaves));
}

template <class... Types>
class tuple {
  using indices = std::index_sequence_for<Types...>;

 public:
  detail::tuple_leaves<indices, Types...> leaves;

  tuple() = default;
  tuple(const tuple&) = default;
  template <class... Given,
            std::enable_if_t<sizeof...(Given) == sizeof...(Types) && (std::is_constructible_v<Types, Given&&> && ...) &&
                                 !(sizeof...(Given) == 1 && (detail::is_tuple<std::decay_t<Given>>::value && ...)),
                             int> = 0>
  SIMTLAB_THRUST constexpr tuple(Given&&... given) : leaves(0, static_cast<Given&&>(given)...) {}
  template <class... Other, std::enable_if_t<sizeof...(Other) == sizeof...(Types), int> = 0>
  SIMTLAB_THRUST constexpr tuple(const tuple<Other...>& other) : tuple(other, indices()) {}
  template <class... Other, std::enable_if_t<sizeof...(Other) == sizeof...(Types), int> = 0>
  SIMTLAB_THRUST constexpr tuple(tuple<Other...>& other) : tuple(other, indices()) {}

  SIMTLAB_THRUST constexpr tuple& operator=(const tuple& other) { return take(other, indices()); }
  template <class... Other>
  SIMTLAB_THRUST constexpr tuple& operator=(const tuple<Other...>& other) {
    return take(other, indices());
  }
  template <class First, class Second, template <class, class> class Pair>
  SIMTLAB_THRUST constexpr auto operator=(const Pair<First, Second>& other) -> decltype((void)other.first, *this) {
    thrust::get<0>(*this) = other.first;
    thrust::get<1>(*this) = other.second;
    return *this;
  }
  template <size_t Index>
  SIMTLAB_THRUST constexpr decltype(auto) get() {
    return thrust::get<Index>(*this);
  }
  template <size_t Index>
  SIMTLAB_THRUST constexpr decltype(auto) get() const {
    return thrust::get<Index>(*this);
  }
  SIMTLAB_THRUST void swap(tuple& other) {
    tuple kept = other;
    other = *this;
    *this = kept;
  }

 private:
  template <class Other, size_t... Index>
  SIMTLAB_THRUST constexpr tuple(Other& other, std::index_sequence<Index...>)
      : leaves(0, static_cast<Types>(thrust::get<Index>(other))...) {}
  template <class Other, size_t... Index>
  SIMTLAB_THRUST constexpr tuple& take(const Other& other, std::index_sequence<Index...>) {
    ((thrust::get<Index>(*this) = thrust::get<Index>(other)), ...);
    return *this;
  }
};

template <class Type>
struct tuple_size;
template <class... Types>
struct tuple_size<tuple<Types...>> : std::integral_constant<size_t, sizeof...(Types)> {};
template <size_t Index, class Type>
struct tuple_element;
template <size_t Index, class... Types>
struct tuple_element<Index, tuple<Types...>> : std::tuple_element<Index, std::tuple<Types...>> {};
template <size_t Index, class Type>
using tuple_element_t = typename tuple_element<Index, Type>::type;

template <class... Types>
SIMTLAB_THRUST constexpr tuple<std::decay_t<Types>...> make_tuple(Types&&... values) {
  return tuple<std::decay_t<Types>...>(static_cast<Types&&>(values)...);
}
template <class... Types>
SIMTLAB_THRUST constexpr tuple<Types&...> tie(Types&... places) {
  return tuple<Types&...>(places...);
}

namespace detail {

template <size_t Index, class One, class Other>
SIMTLAB_THRUST constexpr bool same_from(const One& one, const Other& other) {
  if constexpr (Index == tuple_size<One>::value) {
    return true;
  } else {
    return get<Index>(one) == get<Index>(other) && same_from<Index + 1>(one, other);
  }
}
template <size_t Index, class One, class Other>
SIMTLAB_THRUST constexpr bool less_from(const One& one, const Other& other) {
  if constexpr (Index == tuple_size<One>::value) {
    return false;
  } else {
    if (get<Index>(one) < get<Index>(other)) return true;
    if (get<Index>(other) < get<Index>(one)) return false;
    return less_from<Index + 1>(one, other);
  }
}

}  // namespace detail

template <class... One, class... Other>
SIMTLAB_THRUST constexpr bool operator==(const tuple<One...>& one, const tuple<Other...>& other) {
  return detail::same_from<0>(one, other);
}
template <class... One, class... Other>
SIMTLAB_THRUST constexpr bool operator!=(const tuple<One...>& one, const tuple<Other...>& other) {
  return !detail::same_from<0>(one, other);
}
template <class... One, class... Other>
SIMTLAB_THRUST constexpr bool operator<(const tuple<One...>& one, const tuple<Other...>& other) {
  return detail::less_from<0>(one, other);
}
template <class... One, class... Other>
SIMTLAB_THRUST constexpr bool operator>(const tuple<One...>& one, const tuple<Other...>& other) {
  return detail::less_from<0>(other, one);
}
template <class... One, class... Other>
SIMTLAB_THRUST constexpr bool operator<=(const tuple<One...>& one, const tuple<Other...>& other) {
  return !detail::less_from<0>(other, one);
}
template <class... One, class... Other>
SIMTLAB_THRUST constexpr bool operator>=(const tuple<One...>& one, const tuple<Other...>& other) {
  return !detail::less_from<0>(one, other);
}

}  // namespace thrust

template <class... Types>
struct std::tuple_size<thrust::tuple<Types...>> : std::integral_constant<size_t, sizeof...(Types)> {};
template <size_t Index, class... Types>
struct std::tuple_element<Index, thrust::tuple<Types...>> : std::tuple_element<Index, std::tuple<Types...>> {};
