// Where the elements of an iterator lie, which decides where an algorithm without a policy runs; and what of an iterator a kernel
// gets: pointers for device pointers, also inside of other iterators.
#pragma once
#ifndef __clang__  // ../../device_functions.h
#pragma GCC system_header
#endif

#include <iterator>
#include <type_traits>

#include "../execution_policy.h"
#include "../system_error.h"

namespace thrust::detail {

/// `anywhere`: no memory at all, as of a counting_iterator.
enum class place : unsigned char { nowhere, anywhere, host, device };

template <class Type, class = void>
struct place_of : std::integral_constant<place, place::nowhere> {};
template <class Type>
struct place_of<Type, std::void_t<decltype(Type::simtlab_place)>> : std::integral_constant<place, Type::simtlab_place> {
};
template <class Type>
struct is_library_iterator {
  template <class Asked>
  static std::true_type test(typename std::iterator_traits<Asked>::iterator_category*);
  template <class Asked>
  static std::false_type test(...);
  template <class Asked>
  static std::true_type has_place(std::integral_constant<place, Asked::simtlab_place>*);
  template <class Asked>
  static std::false_type has_place(...);
  static constexpr bool value = decltype(test<Type>(nullptr))::value && !decltype(has_place<Type>(nullptr))::value;
};
template <class Type>
struct place_of<Type, std::enable_if_t<is_library_iterator<Type>::value>> : std::integral_constant<place, place::host> {
};

/// Of several iterators: device memory before host memory before none.
template <class... Types>
constexpr place joint_place() {
  place of_all = place::nowhere;
  ((of_all = place_of<Types>::value > of_all ? place_of<Types>::value : of_all), ...);
  return of_all;
}

/// The policy of an algorithm that is given none.
template <class... Types>
SIMTLAB_THRUST constexpr auto policy_of() {
  if constexpr (joint_place<Types...>() == place::host) {
    return host_policy();
  } else {
    return stream_policy();
  }
}

template <class Type>
constexpr bool is_policy = std::is_base_of_v<execution_policy<Type>, Type>;

template <class Type, class = void>
struct has_on_device : std::false_type {};
template <class Type>
struct has_on_device<Type, std::void_t<decltype(std::declval<const Type&>().on_device())>> : std::true_type {};
template <class Type>
SIMTLAB_THRUST constexpr auto on_device(const Type& iterator) {
  if constexpr (has_on_device<Type>::value) {
    return iterator.on_device();
  } else {
    return iterator;
  }
}
/// What runs where the policy says.
template <class Policy, class Type>
SIMTLAB_THRUST constexpr auto for_policy(const Type& iterator) {
  if constexpr (Policy::is_device) {
    return on_device(iterator);
  } else {
    return iterator;
  }
}

template <class Iterator>
using value_of = typename std::iterator_traits<Iterator>::value_type;

/// The algorithm without a policy calls itself with the one that its iterators ask for.
#define SIMTLAB_THRUST_WITHOUT_POLICY(name)                                                             \
  template <class First, class... Rest, std::enable_if_t<!::thrust::detail::is_policy<First>, int> = 0> \
  SIMTLAB_THRUST_HOST auto name(const First& first, const Rest&... rest) {                              \
    return ::thrust::name(::thrust::detail::policy_of<First, Rest...>(), first, rest...);               \
  }

}  // namespace thrust::detail

namespace thrust {
template <class Iterator>
using iterator_value_t = detail::value_of<Iterator>;
template <class Iterator>
struct iterator_value {
  using type = detail::value_of<Iterator>;
};
template <class Iterator>
using iterator_traits = std::iterator_traits<Iterator>;
using std::advance;
template <class Iterator>
SIMTLAB_THRUST auto distance(Iterator first, Iterator last) {
  return last - first;
}
template <class Iterator>
SIMTLAB_THRUST Iterator next(Iterator at, ptrdiff_t steps = 1) {
  return at + steps;
}
}  // namespace thrust
