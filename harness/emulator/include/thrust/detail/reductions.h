// Algorithms that make one value of many: reduce, count, extrema, inner products, and searches, which reduce to a position.
//
// Up to 4096 threads each take elements in a row; a last thread puts their results together, in order. A sum of floats therefore
// has another rounding than a loop's, as on a GPU.
#pragma once
#ifndef __clang__  // ../../device_functions.h
#pragma GCC system_header
#endif

#include "../functional.h"
#include "../pair.h"
#include "elementwise.h"
#include "launch.h"

namespace thrust {
namespace detail {

template <class Type, class Map, class Function>
struct reduces_part {
  Map map;
  Function function;
  Type* parts;
  size_t count, length;
  SIMTLAB_THRUST void operator()(size_t part) const {
    size_t index = part * length;
    const size_t end = index + length < count ? index + length : count;
    Type value = map(index);
    for (++index; index < end; ++index) value = const_cast<Function&>(function)(value, map(index));
    ::new (static_cast<void*>(parts + part)) Type(value);
  }
};
template <class Type, class Function>
struct reduces_parts {
  Type* parts;
  size_t count;
  Type first;
  Function function;
  SIMTLAB_THRUST void operator()() const {
    Type value = first;
    for (size_t part = 0; part < count; ++part) value = const_cast<Function&>(function)(value, parts[part]);
    ::new (static_cast<void*>(parts)) Type(value);
  }
};

/// `function(...function(first, map(0))..., map(count - 1))`
template <class Type, class Map, class Function>
SIMTLAB_THRUST_HOST Type reduced(const host_policy&, const char*, size_t count, Type first, Map map,
                                 Function function) {
  Type value = first;
  for (size_t index = 0; index < count; ++index) value = function(value, map(index));
  return value;
}
template <class Type, class Map, class Function>
SIMTLAB_THRUST_HOST Type reduced(const stream_policy& policy, const char* name, size_t count, Type first, Map map,
                                 Function function) {
  if (count == 0) return first;
  constexpr size_t most_parts = 4096, least_length = 16;
  size_t length = (count + most_parts - 1) / most_parts;
  if (length < least_length) length = least_length;
  const size_t parts = (count + length - 1) / length;
  const scratch<stream_policy, Type> results(parts);
  run_each(policy, name, parts, reduces_part<Type, Map, Function>{map, function, results.get(), count, length});
  run_once(policy, name, reduces_parts<Type, Function>{results.get(), parts, first, function});
  return results.fetch();
}

template <class At>
struct element_of {
  At at;
  SIMTLAB_THRUST decltype(auto) operator()(size_t index) const { return at[index]; }
};
template <class At, class Function>
struct transformed_element {
  At at;
  Function function;
  SIMTLAB_THRUST decltype(auto) operator()(size_t index) const { return const_cast<Function&>(function)(at[index]); }
};
template <class One, class Other, class Function>
struct transformed_pair {
  One one;
  Other other;
  Function function;
  SIMTLAB_THRUST decltype(auto) operator()(size_t index) const {
    return const_cast<Function&>(function)(one[index], other[index]);
  }
};
/// The index itself, if the element is wanted; else the number of elements.
template <class At, class Predicate>
struct position_if {
  At at;
  Predicate predicate;
  bool wanted;
  size_t count;
  SIMTLAB_THRUST size_t operator()(size_t index) const {
    return static_cast<bool>(const_cast<Predicate&>(predicate)(at[index])) == wanted ? index : count;
  }
};
template <class One, class Other, class Function>
struct position_if_not_pair {
  One one;
  Other other;
  Function function;
  size_t count;
  SIMTLAB_THRUST size_t operator()(size_t index) const {
    return const_cast<Function&>(function)(one[index], other[index]) ? count : index;
  }
};
template <class At, class Predicate>
struct one_if {
  At at;
  Predicate predicate;
  SIMTLAB_THRUST ptrdiff_t operator()(size_t index) const {
    return const_cast<Predicate&>(predicate)(at[index]) ? 1 : 0;
  }
};
struct same_index {
  SIMTLAB_THRUST size_t operator()(size_t index) const { return index; }
};
/// Of two positions the one whose element comes first; of equal ones the first.
template <class At, class Less>
struct lesser_position {
  At at;
  Less less;
  SIMTLAB_THRUST size_t operator()(size_t one, size_t other) const {
    if (const_cast<Less&>(less)(at[other], at[one])) return other;
    return const_cast<Less&>(less)(at[one], at[other]) ? one : one < other ? one : other;
  }
};
template <class At, class Less>
struct greater_position {
  At at;
  Less less;
  SIMTLAB_THRUST size_t operator()(size_t one, size_t other) const {
    if (const_cast<Less&>(less)(at[one], at[other])) return other;
    return const_cast<Less&>(less)(at[other], at[one]) ? one : one < other ? one : other;
  }
};

}  // namespace detail

template <class Policy, class At, class Type, class Function = plus<>>
SIMTLAB_THRUST_HOST Type reduce(const execution_policy<Policy>& policy, At first, At last, Type begin,
                                Function function = Function()) {
  const auto at = detail::for_policy<Policy>(first);
  return detail::reduced<Type>(policy.self(), "thrust::reduce", detail::length(first, last), begin,
                               detail::element_of<std::decay_t<decltype(at)>>{at}, function);
}
template <class Policy, class At>
SIMTLAB_THRUST_HOST detail::value_of<At> reduce(const execution_policy<Policy>& policy, At first, At last) {
  return ::thrust::reduce(policy, first, last, detail::value_of<At>(0));
}
SIMTLAB_THRUST_WITHOUT_POLICY(reduce)

template <class Policy, class At, class Transform, class Type, class Function>
SIMTLAB_THRUST_HOST Type transform_reduce(const execution_policy<Policy>& policy, At first, At last,
                                          Transform transform, Type begin, Function function) {
  const auto at = detail::for_policy<Policy>(first);
  return detail::reduced<Type>(policy.self(), "thrust::transform_reduce", detail::length(first, last), begin,
                               detail::transformed_element<std::decay_t<decltype(at)>, Transform>{at, transform},
                               function);
}
SIMTLAB_THRUST_WITHOUT_POLICY(transform_reduce)

template <class Policy, class One, class Other, class Type, class Sum = plus<>, class Product = multiplies<>>
SIMTLAB_THRUST_HOST Type inner_product(const execution_policy<Policy>& policy, One first, One last, Other other,
                                       Type begin, Sum sum = Sum(), Product product = Product()) {
  const auto one = detail::for_policy<Policy>(first);
  const auto second = detail::for_policy<Policy>(other);
  return detail::reduced<Type>(
      policy.self(), "thrust::inner_product", detail::length(first, last), begin,
      detail::transformed_pair<std::decay_t<decltype(one)>, std::decay_t<decltype(second)>, Product>{one, second,
                                                                                                     product},
      sum);
}
SIMTLAB_THRUST_WITHOUT_POLICY(inner_product)

template <class Policy, class At, class Predicate>
SIMTLAB_THRUST_HOST ptrdiff_t count_if(const execution_policy<Policy>& policy, At first, At last, Predicate predicate) {
  const auto at = detail::for_policy<Policy>(first);
  return detail::reduced<ptrdiff_t>(policy.self(), "thrust::count_if", detail::length(first, last), 0,
                                    detail::one_if<std::decay_t<decltype(at)>, Predicate>{at, predicate}, plus<>());
}
SIMTLAB_THRUST_WITHOUT_POLICY(count_if)
template <class Policy, class At, class Type>
SIMTLAB_THRUST_HOST ptrdiff_t count(const execution_policy<Policy>& policy, At first, At last, const Type& value) {
  return ::thrust::count_if(policy, first, last, detail::is_value<Type>{value});
}
SIMTLAB_THRUST_WITHOUT_POLICY(count)

namespace detail {

template <class Policy, class At, class Predicate>
SIMTLAB_THRUST_HOST At found(const Policy& policy, const char* name, At first, At last, Predicate predicate,
                             bool wanted) {
  const size_t count = length(first, last);
  const auto at = for_policy<Policy>(first);
  return first + static_cast<ptrdiff_t>(reduced<size_t>(
                     policy, name, count, count,
                     position_if<std::decay_t<decltype(at)>, Predicate>{at, predicate, wanted, count}, minimum<>()));
}
template <class Policy, class At, template <class, class> class Better, class Less>
SIMTLAB_THRUST_HOST At best(const Policy& policy, const char* name, At first, At last, Less less) {
  if (first == last) return last;
  const auto at = for_policy<Policy>(first);
  return first + static_cast<ptrdiff_t>(reduced<size_t>(policy, name, length(first, last), 0, same_index(),
                                                        Better<std::decay_t<decltype(at)>, Less>{at, less}));
}

}  // namespace detail

template <class Policy, class At, class Predicate>
SIMTLAB_THRUST_HOST At find_if(const execution_policy<Policy>& policy, At first, At last, Predicate predicate) {
  return detail::found(policy.self(), "thrust::find_if", first, last, predicate, true);
}
SIMTLAB_THRUST_WITHOUT_POLICY(find_if)
template <class Policy, class At, class Predicate>
SIMTLAB_THRUST_HOST At find_if_not(const execution_policy<Policy>& policy, At first, At last, Predicate predicate) {
  return detail::found(policy.self(), "thrust::find_if_not", first, last, predicate, false);
}
SIMTLAB_THRUST_WITHOUT_POLICY(find_if_not)
template <class Policy, class At, class Type>
SIMTLAB_THRUST_HOST At find(const execution_policy<Policy>& policy, At first, At last, const Type& value) {
  return detail::found(policy.self(), "thrust::find", first, last, detail::is_value<Type>{value}, true);
}
SIMTLAB_THRUST_WITHOUT_POLICY(find)
template <class Policy, class At, class Predicate>
SIMTLAB_THRUST_HOST bool all_of(const execution_policy<Policy>& policy, At first, At last, Predicate predicate) {
  return ::thrust::find_if_not(policy, first, last, predicate) == last;
}
SIMTLAB_THRUST_WITHOUT_POLICY(all_of)
template <class Policy, class At, class Predicate>
SIMTLAB_THRUST_HOST bool any_of(const execution_policy<Policy>& policy, At first, At last, Predicate predicate) {
  return ::thrust::find_if(policy, first, last, predicate) != last;
}
SIMTLAB_THRUST_WITHOUT_POLICY(any_of)
template <class Policy, class At, class Predicate>
SIMTLAB_THRUST_HOST bool none_of(const execution_policy<Policy>& policy, At first, At last, Predicate predicate) {
  return ::thrust::find_if(policy, first, last, predicate) == last;
}
SIMTLAB_THRUST_WITHOUT_POLICY(none_of)

template <class Policy, class One, class Other, class Function = equal_to<>>
SIMTLAB_THRUST_HOST pair<One, Other> mismatch(const execution_policy<Policy>& policy, One first, One last, Other other,
                                              Function same = Function()) {
  const size_t count = detail::length(first, last);
  const auto one = detail::for_policy<Policy>(first);
  const auto second = detail::for_policy<Policy>(other);
  const auto at = static_cast<ptrdiff_t>(detail::reduced<size_t>(
      policy.self(), "thrust::mismatch", count, count,
      detail::position_if_not_pair<std::decay_t<decltype(one)>, std::decay_t<decltype(second)>, Function>{one, second,
                                                                                                          same, count},
      minimum<>()));
  return {first + at, other + at};
}
SIMTLAB_THRUST_WITHOUT_POLICY(mismatch)
template <class Policy, class One, class Other, class Function = equal_to<>>
SIMTLAB_THRUST_HOST bool equal(const execution_policy<Policy>& policy, One first, One last, Other other,
                               Function same = Function()) {
  return ::thrust::mismatch(policy, first, last, other, same).first == last;
}
SIMTLAB_THRUST_WITHOUT_POLICY(equal)

template <class Policy, class At, class Less = less<>>
SIMTLAB_THRUST_HOST At is_sorted_until(const execution_policy<Policy>& policy, At first, At last, Less less = Less()) {
  const size_t count = detail::length(first, last);
  if (count < 2) return last;
  const auto at = detail::for_policy<Policy>(first);
  struct goes_up {
    Less less;
    SIMTLAB_THRUST bool operator()(const detail::value_of<At>& after, const detail::value_of<At>& before) const {
      return !const_cast<Less&>(less)(after, before);
    }
  };
  using iterator = std::decay_t<decltype(at)>;
  return first + 1 +
         static_cast<ptrdiff_t>(detail::reduced<size_t>(
             policy.self(), "thrust::is_sorted", count - 1, count - 1,
             detail::position_if_not_pair<iterator, iterator, goes_up>{at + 1, at, goes_up{less}, count - 1},
             minimum<>()));
}
SIMTLAB_THRUST_WITHOUT_POLICY(is_sorted_until)
template <class Policy, class At, class Less = less<>>
SIMTLAB_THRUST_HOST bool is_sorted(const execution_policy<Policy>& policy, At first, At last, Less less = Less()) {
  return ::thrust::is_sorted_until(policy, first, last, less) == last;
}
SIMTLAB_THRUST_WITHOUT_POLICY(is_sorted)

template <class Policy, class At, class Less = less<>>
SIMTLAB_THRUST_HOST At min_element(const execution_policy<Policy>& policy, At first, At last, Less less = Less()) {
  return detail::best<Policy, At, detail::lesser_position>(policy.self(), "thrust::min_element", first, last, less);
}
SIMTLAB_THRUST_WITHOUT_POLICY(min_element)
template <class Policy, class At, class Less = less<>>
SIMTLAB_THRUST_HOST At max_element(const execution_policy<Policy>& policy, At first, At last, Less less = Less()) {
  return detail::best<Policy, At, detail::greater_position>(policy.self(), "thrust::max_element", first, last, less);
}
SIMTLAB_THRUST_WITHOUT_POLICY(max_element)
template <class Policy, class At, class Less = less<>>
SIMTLAB_THRUST_HOST pair<At, At> minmax_element(const execution_policy<Policy>& policy, At first, At last,
                                                Less less = Less()) {
  return {::thrust::min_element(policy, first, last, less), ::thrust::max_element(policy, first, last, less)};
}
SIMTLAB_THRUST_WITHOUT_POLICY(minmax_element)

}  // namespace thrust
