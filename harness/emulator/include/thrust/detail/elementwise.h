// Algorithms that do the same to each element: transform, fill, sequence, for_each, gather, scatter and their kin.
#pragma once
#ifndef __clang__  // ../../device_functions.h
#pragma GCC system_header
#endif

#include "../functional.h"
#include "launch.h"

namespace thrust {
namespace detail {

template <class From, class To, class Function>
struct transforms {
  From from;
  To to;
  Function function;
  SIMTLAB_THRUST void operator()(size_t index) const { to[index] = const_cast<Function&>(function)(from[index]); }
};
template <class One, class Other, class To, class Function>
struct transforms_two {
  One one;
  Other other;
  To to;
  Function function;
  SIMTLAB_THRUST void operator()(size_t index) const {
    to[index] = const_cast<Function&>(function)(one[index], other[index]);
  }
};
template <class From, class Stencil, class To, class Function, class Predicate>
struct transforms_if {
  From from;
  Stencil stencil;
  To to;
  Function function;
  Predicate predicate;
  SIMTLAB_THRUST void operator()(size_t index) const {
    if (const_cast<Predicate&>(predicate)(stencil[index])) to[index] = const_cast<Function&>(function)(from[index]);
  }
};
template <class One, class Other, class Stencil, class To, class Function, class Predicate>
struct transforms_two_if {
  One one;
  Other other;
  Stencil stencil;
  To to;
  Function function;
  Predicate predicate;
  SIMTLAB_THRUST void operator()(size_t index) const {
    if (const_cast<Predicate&>(predicate)(stencil[index]))
      to[index] = const_cast<Function&>(function)(one[index], other[index]);
  }
};
template <class At, class Function>
struct visits {
  At at;
  Function function;
  SIMTLAB_THRUST void operator()(size_t index) const { const_cast<Function&>(function)(at[index]); }
};
template <class To, class Type>
struct stores {
  To to;
  Type value;
  SIMTLAB_THRUST void operator()(size_t index) const { to[index] = value; }
};
template <class To, class Type>
struct counts_up {
  To to;
  Type first, step;
  SIMTLAB_THRUST void operator()(size_t index) const { to[index] = first + static_cast<Type>(index) * step; }
};
template <class To, class Function>
struct tabulates {
  To to;
  Function function;
  SIMTLAB_THRUST void operator()(size_t index) const {
    to[index] = const_cast<Function&>(function)(static_cast<ptrdiff_t>(index));
  }
};
template <class To, class Function>
struct generates {
  To to;
  Function function;
  SIMTLAB_THRUST void operator()(size_t index) const { to[index] = const_cast<Function&>(function)(); }
};
template <class Map, class From, class To>
struct gathers {
  Map map;
  From from;
  To to;
  SIMTLAB_THRUST void operator()(size_t index) const { to[index] = from[map[index]]; }
};
template <class Map, class Stencil, class From, class To, class Predicate>
struct gathers_if {
  Map map;
  Stencil stencil;
  From from;
  To to;
  Predicate predicate;
  SIMTLAB_THRUST void operator()(size_t index) const {
    if (const_cast<Predicate&>(predicate)(stencil[index])) to[index] = from[map[index]];
  }
};
template <class From, class Map, class To>
struct scatters {
  From from;
  Map map;
  To to;
  SIMTLAB_THRUST void operator()(size_t index) const { to[map[index]] = from[index]; }
};
template <class From, class Map, class Stencil, class To, class Predicate>
struct scatters_if {
  From from;
  Map map;
  Stencil stencil;
  To to;
  Predicate predicate;
  SIMTLAB_THRUST void operator()(size_t index) const {
    if (const_cast<Predicate&>(predicate)(stencil[index])) to[map[index]] = from[index];
  }
};
template <class At, class Stencil, class Predicate, class Type>
struct replaces {
  At at;
  Stencil stencil;
  Predicate predicate;
  Type value;
  SIMTLAB_THRUST void operator()(size_t index) const {
    if (const_cast<Predicate&>(predicate)(stencil[index])) at[index] = value;
  }
};
template <class From, class To, class Predicate, class Type>
struct copies_replaced {
  From from;
  To to;
  Predicate predicate;
  Type value;
  SIMTLAB_THRUST void operator()(size_t index) const {
    if (const_cast<Predicate&>(predicate)(from[index]))
      to[index] = value;
    else
      to[index] = from[index];
  }
};
template <class Type>
struct is_value {
  Type value;
  template <class Other>
  SIMTLAB_THRUST bool operator()(const Other& other) const {
    return other == value;
  }
};
struct is_true {
  template <class Type>
  SIMTLAB_THRUST bool operator()(const Type& value) const {
    return static_cast<bool>(value);
  }
};
template <class One, class Other, class Type>
struct swaps {
  One one;
  Other other;
  SIMTLAB_THRUST void operator()(size_t index) const {
    Type kept = one[index];
    one[index] = other[index];
    other[index] = kept;
  }
};
template <class At, class Type>
struct turns_round {
  At at;
  size_t count;
  SIMTLAB_THRUST void operator()(size_t index) const {
    Type kept = at[index];
    at[index] = at[count - 1 - index];
    at[count - 1 - index] = kept;
  }
};
template <class From, class To>
struct copies_backwards {
  From from;
  To to;
  size_t count;
  SIMTLAB_THRUST void operator()(size_t index) const { to[index] = from[count - 1 - index]; }
};
template <class From, class To, class Function, class Type>
struct differences {
  From from;
  To to;
  Function function;
  SIMTLAB_THRUST void operator()(size_t index) const {
    if (index == 0)
      to[0] = from[0];
    else
      to[index] = const_cast<Function&>(function)(static_cast<Type>(from[index]), static_cast<Type>(from[index - 1]));
  }
};

}  // namespace detail

template <class Policy, class From, class To, class Function>
SIMTLAB_THRUST_HOST To transform(const execution_policy<Policy>& policy, From first, From last, To to,
                                 Function function) {
  const size_t count = detail::length(first, last);
  const auto from = detail::for_policy<Policy>(first);
  const auto target = detail::for_policy<Policy>(to);
  detail::run_each(policy.self(), "thrust::transform", count,
                   detail::transforms<std::decay_t<decltype(from)>, std::decay_t<decltype(target)>, Function>{
                       from, target, function});
  return to + static_cast<ptrdiff_t>(count);
}
template <class Policy, class One, class Other, class To, class Function>
SIMTLAB_THRUST_HOST To transform(const execution_policy<Policy>& policy, One first, One last, Other other, To to,
                                 Function function) {
  const size_t count = detail::length(first, last);
  const auto one = detail::for_policy<Policy>(first);
  const auto second = detail::for_policy<Policy>(other);
  const auto target = detail::for_policy<Policy>(to);
  detail::run_each(policy.self(), "thrust::transform", count,
                   detail::transforms_two<std::decay_t<decltype(one)>, std::decay_t<decltype(second)>,
                                          std::decay_t<decltype(target)>, Function>{one, second, target, function});
  return to + static_cast<ptrdiff_t>(count);
}
SIMTLAB_THRUST_WITHOUT_POLICY(transform)

template <class Policy, class From, class To, class Function, class Predicate>
SIMTLAB_THRUST_HOST To transform_if(const execution_policy<Policy>& policy, From first, From last, To to,
                                    Function function, Predicate predicate) {
  const size_t count = detail::length(first, last);
  const auto from = detail::for_policy<Policy>(first);
  const auto target = detail::for_policy<Policy>(to);
  using source = std::decay_t<decltype(from)>;
  detail::run_each(policy.self(), "thrust::transform_if", count,
                   detail::transforms_if<source, source, std::decay_t<decltype(target)>, Function, Predicate>{
                       from, from, target, function, predicate});
  return to + static_cast<ptrdiff_t>(count);
}
template <class Policy, class From, class Stencil, class To, class Function, class Predicate>
SIMTLAB_THRUST_HOST To transform_if(const execution_policy<Policy>& policy, From first, From last, Stencil stencil,
                                    To to, Function function, Predicate predicate) {
  const size_t count = detail::length(first, last);
  const auto from = detail::for_policy<Policy>(first);
  const auto marks = detail::for_policy<Policy>(stencil);
  const auto target = detail::for_policy<Policy>(to);
  detail::run_each(
      policy.self(), "thrust::transform_if", count,
      detail::transforms_if<std::decay_t<decltype(from)>, std::decay_t<decltype(marks)>, std::decay_t<decltype(target)>,
                            Function, Predicate>{from, marks, target, function, predicate});
  return to + static_cast<ptrdiff_t>(count);
}
template <class Policy, class One, class Other, class Stencil, class To, class Function, class Predicate>
SIMTLAB_THRUST_HOST To transform_if(const execution_policy<Policy>& policy, One first, One last, Other other,
                                    Stencil stencil, To to, Function function, Predicate predicate) {
  const size_t count = detail::length(first, last);
  const auto one = detail::for_policy<Policy>(first);
  const auto second = detail::for_policy<Policy>(other);
  const auto marks = detail::for_policy<Policy>(stencil);
  const auto target = detail::for_policy<Policy>(to);
  detail::run_each(
      policy.self(), "thrust::transform_if", count,
      detail::transforms_two_if<std::decay_t<decltype(one)>, std::decay_t<decltype(second)>,
                                std::decay_t<decltype(marks)>, std::decay_t<decltype(target)>, Function, Predicate>{
          one, second, marks, target, function, predicate});
  return to + static_cast<ptrdiff_t>(count);
}
SIMTLAB_THRUST_WITHOUT_POLICY(transform_if)

template <class Policy, class At, class Size, class Function>
SIMTLAB_THRUST_HOST At for_each_n(const execution_policy<Policy>& policy, At first, Size count, Function function) {
  const auto at = detail::for_policy<Policy>(first);
  detail::run_each(policy.self(), "thrust::for_each", static_cast<size_t>(count),
                   detail::visits<std::decay_t<decltype(at)>, Function>{at, function});
  return first + static_cast<ptrdiff_t>(count);
}
SIMTLAB_THRUST_WITHOUT_POLICY(for_each_n)
template <class Policy, class At, class Function>
SIMTLAB_THRUST_HOST At for_each(const execution_policy<Policy>& policy, At first, At last, Function function) {
  return ::thrust::for_each_n(policy, first, detail::length(first, last), function);
}
SIMTLAB_THRUST_WITHOUT_POLICY(for_each)

template <class Policy, class To, class Size, class Type>
SIMTLAB_THRUST_HOST To fill_n(const execution_policy<Policy>& policy, To first, Size count, const Type& value) {
  const auto to = detail::for_policy<Policy>(first);
  detail::run_each(policy.self(), "thrust::fill", static_cast<size_t>(count),
                   detail::stores<std::decay_t<decltype(to)>, Type>{to, value});
  return first + static_cast<ptrdiff_t>(count);
}
SIMTLAB_THRUST_WITHOUT_POLICY(fill_n)
template <class Policy, class To, class Type>
SIMTLAB_THRUST_HOST void fill(const execution_policy<Policy>& policy, To first, To last, const Type& value) {
  ::thrust::fill_n(policy, first, detail::length(first, last), value);
}
SIMTLAB_THRUST_WITHOUT_POLICY(fill)
template <class Policy, class To, class Type>
SIMTLAB_THRUST_HOST void uninitialized_fill(const execution_policy<Policy>& policy, To first, To last,
                                            const Type& value) {
  ::thrust::fill_n(policy, first, detail::length(first, last), value);
}
SIMTLAB_THRUST_WITHOUT_POLICY(uninitialized_fill)

template <class Policy, class To, class Type = detail::value_of<To>>
SIMTLAB_THRUST_HOST void sequence(const execution_policy<Policy>& policy, To first, To last, Type begin = Type(0),
                                  Type step = Type(1)) {
  const auto to = detail::for_policy<Policy>(first);
  using value = detail::value_of<To>;
  detail::run_each(
      policy.self(), "thrust::sequence", detail::length(first, last),
      detail::counts_up<std::decay_t<decltype(to)>, value>{to, static_cast<value>(begin), static_cast<value>(step)});
}
SIMTLAB_THRUST_WITHOUT_POLICY(sequence)

template <class Policy, class To, class Function>
SIMTLAB_THRUST_HOST void tabulate(const execution_policy<Policy>& policy, To first, To last, Function function) {
  const auto to = detail::for_policy<Policy>(first);
  detail::run_each(policy.self(), "thrust::tabulate", detail::length(first, last),
                   detail::tabulates<std::decay_t<decltype(to)>, Function>{to, function});
}
SIMTLAB_THRUST_WITHOUT_POLICY(tabulate)

template <class Policy, class To, class Size, class Function>
SIMTLAB_THRUST_HOST To generate_n(const execution_policy<Policy>& policy, To first, Size count, Function function) {
  const auto to = detail::for_policy<Policy>(first);
  detail::run_each(policy.self(), "thrust::generate", static_cast<size_t>(count),
                   detail::generates<std::decay_t<decltype(to)>, Function>{to, function});
  return first + static_cast<ptrdiff_t>(count);
}
SIMTLAB_THRUST_WITHOUT_POLICY(generate_n)
template <class Policy, class To, class Function>
SIMTLAB_THRUST_HOST void generate(const execution_policy<Policy>& policy, To first, To last, Function function) {
  ::thrust::generate_n(policy, first, detail::length(first, last), function);
}
SIMTLAB_THRUST_WITHOUT_POLICY(generate)

template <class Policy, class Map, class From, class To>
SIMTLAB_THRUST_HOST To gather(const execution_policy<Policy>& policy, Map first, Map last, From from, To to) {
  const size_t count = detail::length(first, last);
  const auto map = detail::for_policy<Policy>(first);
  const auto source = detail::for_policy<Policy>(from);
  const auto target = detail::for_policy<Policy>(to);
  detail::run_each(
      policy.self(), "thrust::gather", count,
      detail::gathers<std::decay_t<decltype(map)>, std::decay_t<decltype(source)>, std::decay_t<decltype(target)>>{
          map, source, target});
  return to + static_cast<ptrdiff_t>(count);
}
SIMTLAB_THRUST_WITHOUT_POLICY(gather)
template <class Policy, class Map, class Stencil, class From, class To, class Predicate = detail::is_true>
SIMTLAB_THRUST_HOST To gather_if(const execution_policy<Policy>& policy, Map first, Map last, Stencil stencil,
                                 From from, To to, Predicate predicate = Predicate()) {
  const size_t count = detail::length(first, last);
  const auto map = detail::for_policy<Policy>(first);
  const auto marks = detail::for_policy<Policy>(stencil);
  const auto source = detail::for_policy<Policy>(from);
  const auto target = detail::for_policy<Policy>(to);
  detail::run_each(
      policy.self(), "thrust::gather_if", count,
      detail::gathers_if<std::decay_t<decltype(map)>, std::decay_t<decltype(marks)>, std::decay_t<decltype(source)>,
                         std::decay_t<decltype(target)>, Predicate>{map, marks, source, target, predicate});
  return to + static_cast<ptrdiff_t>(count);
}
SIMTLAB_THRUST_WITHOUT_POLICY(gather_if)

template <class Policy, class From, class Map, class To>
SIMTLAB_THRUST_HOST void scatter(const execution_policy<Policy>& policy, From first, From last, Map map, To to) {
  const auto from = detail::for_policy<Policy>(first);
  const auto places = detail::for_policy<Policy>(map);
  const auto target = detail::for_policy<Policy>(to);
  detail::run_each(
      policy.self(), "thrust::scatter", detail::length(first, last),
      detail::scatters<std::decay_t<decltype(from)>, std::decay_t<decltype(places)>, std::decay_t<decltype(target)>>{
          from, places, target});
}
SIMTLAB_THRUST_WITHOUT_POLICY(scatter)
template <class Policy, class From, class Map, class Stencil, class To, class Predicate = detail::is_true>
SIMTLAB_THRUST_HOST void scatter_if(const execution_policy<Policy>& policy, From first, From last, Map map,
                                    Stencil stencil, To to, Predicate predicate = Predicate()) {
  const auto from = detail::for_policy<Policy>(first);
  const auto places = detail::for_policy<Policy>(map);
  const auto marks = detail::for_policy<Policy>(stencil);
  const auto target = detail::for_policy<Policy>(to);
  detail::run_each(
      policy.self(), "thrust::scatter_if", detail::length(first, last),
      detail::scatters_if<std::decay_t<decltype(from)>, std::decay_t<decltype(places)>, std::decay_t<decltype(marks)>,
                          std::decay_t<decltype(target)>, Predicate>{from, places, marks, target, predicate});
}
SIMTLAB_THRUST_WITHOUT_POLICY(scatter_if)

template <class Policy, class At, class Stencil, class Predicate, class Type>
SIMTLAB_THRUST_HOST void replace_if(const execution_policy<Policy>& policy, At first, At last, Stencil stencil,
                                    Predicate predicate, const Type& value) {
  const auto at = detail::for_policy<Policy>(first);
  const auto marks = detail::for_policy<Policy>(stencil);
  detail::run_each(policy.self(), "thrust::replace_if", detail::length(first, last),
                   detail::replaces<std::decay_t<decltype(at)>, std::decay_t<decltype(marks)>, Predicate, Type>{
                       at, marks, predicate, value});
}
template <class Policy, class At, class Predicate, class Type>
SIMTLAB_THRUST_HOST void replace_if(const execution_policy<Policy>& policy, At first, At last, Predicate predicate,
                                    const Type& value) {
  ::thrust::replace_if(policy, first, last, first, predicate, value);
}
SIMTLAB_THRUST_WITHOUT_POLICY(replace_if)
template <class Policy, class At, class Type>
SIMTLAB_THRUST_HOST void replace(const execution_policy<Policy>& policy, At first, At last, const Type& old,
                                 const Type& value) {
  ::thrust::replace_if(policy, first, last, first, detail::is_value<Type>{old}, value);
}
SIMTLAB_THRUST_WITHOUT_POLICY(replace)
template <class Policy, class From, class To, class Predicate, class Type>
SIMTLAB_THRUST_HOST To replace_copy_if(const execution_policy<Policy>& policy, From first, From last, To to,
                                       Predicate predicate, const Type& value) {
  const size_t count = detail::length(first, last);
  const auto from = detail::for_policy<Policy>(first);
  const auto target = detail::for_policy<Policy>(to);
  detail::run_each(
      policy.self(), "thrust::replace_copy_if", count,
      detail::copies_replaced<std::decay_t<decltype(from)>, std::decay_t<decltype(target)>, Predicate, Type>{
          from, target, predicate, value});
  return to + static_cast<ptrdiff_t>(count);
}
SIMTLAB_THRUST_WITHOUT_POLICY(replace_copy_if)
template <class Policy, class From, class To, class Type>
SIMTLAB_THRUST_HOST To replace_copy(const execution_policy<Policy>& policy, From first, From last, To to,
                                    const Type& old, const Type& value) {
  return ::thrust::replace_copy_if(policy, first, last, to, detail::is_value<Type>{old}, value);
}
SIMTLAB_THRUST_WITHOUT_POLICY(replace_copy)

template <class Policy, class One, class Other>
SIMTLAB_THRUST_HOST Other swap_ranges(const execution_policy<Policy>& policy, One first, One last, Other other) {
  const size_t count = detail::length(first, last);
  const auto one = detail::for_policy<Policy>(first);
  const auto second = detail::for_policy<Policy>(other);
  detail::run_each(
      policy.self(), "thrust::swap_ranges", count,
      detail::swaps<std::decay_t<decltype(one)>, std::decay_t<decltype(second)>, detail::value_of<One>>{one, second});
  return other + static_cast<ptrdiff_t>(count);
}
SIMTLAB_THRUST_WITHOUT_POLICY(swap_ranges)

template <class Policy, class At>
SIMTLAB_THRUST_HOST void reverse(const execution_policy<Policy>& policy, At first, At last) {
  const size_t count = detail::length(first, last);
  const auto at = detail::for_policy<Policy>(first);
  detail::run_each(policy.self(), "thrust::reverse", count / 2,
                   detail::turns_round<std::decay_t<decltype(at)>, detail::value_of<At>>{at, count});
}
SIMTLAB_THRUST_WITHOUT_POLICY(reverse)
template <class Policy, class From, class To>
SIMTLAB_THRUST_HOST To reverse_copy(const execution_policy<Policy>& policy, From first, From last, To to) {
  const size_t count = detail::length(first, last);
  const auto from = detail::for_policy<Policy>(first);
  const auto target = detail::for_policy<Policy>(to);
  detail::run_each(
      policy.self(), "thrust::reverse_copy", count,
      detail::copies_backwards<std::decay_t<decltype(from)>, std::decay_t<decltype(target)>>{from, target, count});
  return to + static_cast<ptrdiff_t>(count);
}
SIMTLAB_THRUST_WITHOUT_POLICY(reverse_copy)

template <class Policy, class From, class To, class Function = minus<>>
SIMTLAB_THRUST_HOST To adjacent_difference(const execution_policy<Policy>& policy, From first, From last, To to,
                                           Function function = Function()) {
  using value = detail::value_of<From>;
  const size_t count = detail::length(first, last);
  const auto from = detail::for_policy<Policy>(first);
  const auto target = detail::for_policy<Policy>(to);
  const detail::scratch<Policy, value> kept(count);  // the result may take the elements' place
  using as_they_were = detail::transforms<std::decay_t<decltype(from)>, value*, identity<value>>;
  detail::run_each(policy.self(), "thrust::adjacent_difference", count,
                   as_they_were{from, kept.get(), identity<value>()});
  detail::run_each(
      policy.self(), "thrust::adjacent_difference", count,
      detail::differences<value*, std::decay_t<decltype(target)>, Function, value>{kept.get(), target, function});
  return to + static_cast<ptrdiff_t>(count);
}
SIMTLAB_THRUST_WITHOUT_POLICY(adjacent_difference)

}  // namespace thrust
