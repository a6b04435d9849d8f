// Searches in sorted elements, for one value or for each of many: one thread a value.
#pragma once
#ifndef __clang__  // ../device_functions.h
#pragma GCC system_header
#endif

#include "detail/elementwise.h"
#include "detail/reductions.h"

namespace thrust {
namespace detail {

enum class bound : unsigned char { lower, upper };

/// The number of elements before the bound.
template <bound Which, class At, class Value, class Less>
SIMTLAB_THRUST size_t elements_before(const At& at, size_t count, const Value& value, Less& less) {
  size_t first = 0;
  while (count > 0) {
    const size_t half = count / 2;
    bool is_before;
    if constexpr (Which == bound::lower)
      is_before = less(at[first + half], value);
    else
      is_before = !less(value, at[first + half]);
    if (is_before) {
      first += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return first;
}

template <bound Which, class At, class Values, class To, class Less>
struct finds_bounds {
  At at;
  size_t count;
  Values values;
  To to;
  Less less;
  SIMTLAB_THRUST void operator()(size_t index) const {
    Less order = less;
    to[index] = static_cast<ptrdiff_t>(elements_before<Which>(at, count, values[index], order));
  }
};
template <class At, class Values, class To, class Less>
struct finds_values {
  At at;
  size_t count;
  Values values;
  To to;
  Less less;
  SIMTLAB_THRUST void operator()(size_t index) const {
    Less order = less;
    const size_t place = elements_before<bound::lower>(at, count, values[index], order);
    to[index] = place < count && !order(values[index], at[place]);
  }
};
template <class Value, bound Which, class At, class Less>
struct finds_bound {
  At at;
  size_t count;
  Value value;
  Less less;
  size_t* to;
  SIMTLAB_THRUST void operator()() const {
    Less order = less;
    *to = elements_before<Which>(at, count, value, order);
  }
};

template <bound Which, class Policy, class At, class Value, class Less>
SIMTLAB_THRUST_HOST At bound_of(const Policy& policy, const char* name, At first, At last, const Value& value,
                                Less less) {
  const auto at = for_policy<Policy>(first);
  const scratch<Policy, size_t> place(1);
  run_once(
      policy, name,
      finds_bound<Value, Which, std::decay_t<decltype(at)>, Less>{at, length(first, last), value, less, place.get()});
  return first + static_cast<ptrdiff_t>(place.fetch());
}
template <template <class, class, class, class> class Finds, class Policy, class At, class Values, class To, class Less>
SIMTLAB_THRUST_HOST To each_found(const Policy& policy, const char* name, At first, At last, Values values,
                                  Values values_end, To to, Less less) {
  const size_t count = length(values, values_end);
  const auto at = for_policy<Policy>(first);
  const auto wanted = for_policy<Policy>(values);
  const auto target = for_policy<Policy>(to);
  run_each(policy, name, count,
           Finds<std::decay_t<decltype(at)>, std::decay_t<decltype(wanted)>, std::decay_t<decltype(target)>, Less>{
               at, length(first, last), wanted, target, less});
  return to + static_cast<ptrdiff_t>(count);
}
template <class At, class Values, class To, class Less>
using finds_lower = finds_bounds<bound::lower, At, Values, To, Less>;
template <class At, class Values, class To, class Less>
using finds_upper = finds_bounds<bound::upper, At, Values, To, Less>;

/// Whether the argument behind two iterators of one type is a third one of values: then an algorithm searches for many.
template <class Values>
constexpr bool are_values = place_of<Values>::value != place::nowhere;

}  // namespace detail

#define SIMTLAB_THRUST_SEARCH(name, finds, one)                                                                    \
  template <class Policy, class At, class Value, class Less = less<>,                                              \
            std::enable_if_t<!detail::are_values<Value>, int> = 0>                                                 \
  SIMTLAB_THRUST_HOST auto name(const execution_policy<Policy>& policy, At first, At last, const Value& value,     \
                                Less less = Less()) {                                                              \
    return one;                                                                                                    \
  }                                                                                                                \
  template <class Policy, class At, class Values, class To, class Less = less<>,                                   \
            std::enable_if_t<detail::are_values<Values>, int> = 0>                                                 \
  SIMTLAB_THRUST_HOST To name(const execution_policy<Policy>& policy, At first, At last, Values values,            \
                              Values values_end, To to, Less less = Less()) {                                      \
    return detail::each_found<detail::finds>(policy.self(), "thrust::" #name, first, last, values, values_end, to, \
                                             less);                                                                \
  }                                                                                                                \
  SIMTLAB_THRUST_WITHOUT_POLICY(name)

SIMTLAB_THRUST_SEARCH(lower_bound, finds_lower,
                      detail::bound_of<detail::bound::lower>(policy.self(), "thrust::lower_bound", first, last, value,
                                                             less))
SIMTLAB_THRUST_SEARCH(upper_bound, finds_upper,
                      detail::bound_of<detail::bound::upper>(policy.self(), "thrust::upper_bound", first, last, value,
                                                             less))
SIMTLAB_THRUST_SEARCH(binary_search, finds_values,
                      ::thrust::lower_bound(policy, first, last, value, less) !=
                          ::thrust::upper_bound(policy, first, last, value, less))
#undef SIMTLAB_THRUST_SEARCH

template <class Policy, class At, class Value, class Less = less<>>
SIMTLAB_THRUST_HOST pair<At, At> equal_range(const execution_policy<Policy>& policy, At first, At last,
                                             const Value& value, Less less = Less()) {
  return {::thrust::lower_bound(policy, first, last, value, less),
          ::thrust::upper_bound(policy, first, last, value, less)};
}
SIMTLAB_THRUST_WITHOUT_POLICY(equal_range)

}  // namespace thrust
