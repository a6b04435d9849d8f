// Algorithms whose every step knows the last one's: scans, reductions by key, and those that leave some elements out. One thread of
// one kernel goes through the elements, in their order; results are those of the parallel ones, costs are not.
#pragma once
#ifndef __clang__  // ../../device_functions.h
#pragma GCC system_header
#endif

#include "../iterator/constant_iterator.h"
#include "../iterator/discard_iterator.h"
#include "../iterator/transform_iterator.h"
#include "reductions.h"

namespace thrust {
namespace detail {

struct as_it_is {
  template <class Type>
  SIMTLAB_THRUST const Type& operator()(const Type& value) const {
    return value;
  }
};

/// `Inclusive`: each result has its own element. `keys` that differ begin anew.
template <bool Inclusive, class Type, class Keys, class From, class To, class Same, class Transform, class Function>
struct scans {
  Keys keys;
  From from;
  To to;
  size_t count;
  Type first;
  bool has_first;
  Same same;
  Transform transform;
  Function function;
  SIMTLAB_THRUST void operator()() const {
    Type sum = first;
    bool is_begun = has_first;
    for (size_t index = 0; index < count; ++index) {
      if (index > 0 && !const_cast<Same&>(same)(keys[index - 1], keys[index])) {
        sum = first;
        is_begun = has_first;
      }
      const Type value = const_cast<Transform&>(transform)(from[index]);
      if constexpr (Inclusive) {
        sum = is_begun ? static_cast<Type>(const_cast<Function&>(function)(sum, value)) : value;
        is_begun = true;
        to[index] = sum;
      } else {
        to[index] = sum;
        sum = const_cast<Function&>(function)(sum, value);
      }
    }
  }
};
struct always_same {
  template <class One, class Other>
  SIMTLAB_THRUST bool operator()(const One&, const Other&) const {
    return true;
  }
};

template <bool Inclusive, class Type, class Policy, class Keys, class From, class To, class Same, class Transform,
          class Function>
SIMTLAB_THRUST_HOST To scanned(const Policy& policy, const char* name, Keys keys, From first, size_t count, To to,
                               Type begin, bool has_first, Same same, Transform transform, Function function) {
  if (count == 0) return to;
  const auto marks = for_policy<Policy>(keys);
  const auto from = for_policy<Policy>(first);
  const auto target = for_policy<Policy>(to);
  run_once(policy, name,
           scans<Inclusive, Type, std::decay_t<decltype(marks)>, std::decay_t<decltype(from)>,
                 std::decay_t<decltype(target)>, Same, Transform, Function>{marks, from, target, count, begin,
                                                                            has_first, same, transform, function});
  return to + static_cast<ptrdiff_t>(count);
}

/// Keeps some elements, and says how many. `to` may be `from`.
template <class From, class Stencil, class To, class Rest, class Predicate>
struct selects {
  From from;
  Stencil stencil;
  To to;      ///< those that are wanted
  Rest rest;  ///< the others
  size_t count;
  Predicate predicate;
  size_t* taken;
  SIMTLAB_THRUST void operator()() const {
    size_t wanted = 0, others = 0;
    for (size_t index = 0; index < count; ++index) {
      if (const_cast<Predicate&>(predicate)(stencil[index]))
        to[wanted++] = from[index];
      else
        rest[others++] = from[index];
    }
    *taken = wanted;
  }
};
template <class Policy, class From, class Stencil, class To, class Rest, class Predicate>
SIMTLAB_THRUST_HOST size_t selected(const Policy& policy, const char* name, From first, size_t count, Stencil stencil,
                                    To to, Rest rest, Predicate predicate) {
  if (count == 0) return 0;
  const auto from = for_policy<Policy>(first);
  const auto marks = for_policy<Policy>(stencil);
  const auto target = for_policy<Policy>(to);
  const auto others = for_policy<Policy>(rest);
  const scratch<Policy, size_t> taken(1);
  run_once(
      policy, name,
      selects<std::decay_t<decltype(from)>, std::decay_t<decltype(marks)>, std::decay_t<decltype(target)>,
              std::decay_t<decltype(others)>, Predicate>{from, marks, target, others, count, predicate, taken.get()});
  return taken.fetch();
}
template <class Predicate>
struct is_not {
  Predicate predicate;
  template <class Type>
  SIMTLAB_THRUST bool operator()(const Type& value) const {
    return !const_cast<Predicate&>(predicate)(value);
  }
};

/// Of neighbours with equal keys the first, with its value.
template <class Keys, class Values, class ToKeys, class ToValues, class Same, class Key>
struct keeps_first {
  Keys keys;
  Values values;
  ToKeys to_keys;
  ToValues to_values;
  size_t count;
  Same same;
  size_t* kept;
  SIMTLAB_THRUST void operator()() const {
    Key last = keys[0];
    to_values[0] = values[0];
    to_keys[0] = last;
    size_t written = 1;
    for (size_t index = 1; index < count; ++index) {
      const Key key = keys[index];
      if (!const_cast<Same&>(same)(last, key)) {
        last = key;
        to_values[written] = values[index];
        to_keys[written++] = key;
      }
    }
    *kept = written;
  }
};
template <class Policy, class Keys, class Values, class ToKeys, class ToValues, class Same>
SIMTLAB_THRUST_HOST size_t unique_kept(const Policy& policy, const char* name, Keys first, size_t count, Values values,
                                       ToKeys to_keys, ToValues to_values, Same same) {
  if (count == 0) return 0;
  const auto keys = for_policy<Policy>(first);
  const auto with = for_policy<Policy>(values);
  const auto target = for_policy<Policy>(to_keys);
  const auto target_values = for_policy<Policy>(to_values);
  const scratch<Policy, size_t> kept(1);
  run_once(policy, name,
           keeps_first<std::decay_t<decltype(keys)>, std::decay_t<decltype(with)>, std::decay_t<decltype(target)>,
                       std::decay_t<decltype(target_values)>, Same, value_of<Keys>>{keys, with, target, target_values,
                                                                                    count, same, kept.get()});
  return kept.fetch();
}

template <class Keys, class Values, class ToKeys, class ToValues, class Same, class Function, class Key, class Type>
struct reduces_by_key {
  Keys keys;
  Values values;
  ToKeys to_keys;
  ToValues to_values;
  size_t count;
  Same same;
  Function function;
  size_t* written;
  SIMTLAB_THRUST void operator()() const {
    Key key = keys[0];
    Type sum = values[0];
    size_t at = 0;
    for (size_t index = 1; index < count; ++index) {
      const Key next = keys[index];
      if (const_cast<Same&>(same)(key, next)) {
        sum = const_cast<Function&>(function)(sum, static_cast<Type>(values[index]));
        continue;
      }
      to_keys[at] = key;
      to_values[at++] = sum;
      key = next;
      sum = values[index];
    }
    to_keys[at] = key;
    to_values[at++] = sum;
    *written = at;
  }
};

}  // namespace detail

// Scans

template <class Policy, class From, class To, class Function = plus<>>
SIMTLAB_THRUST_HOST To inclusive_scan(const execution_policy<Policy>& policy, From first, From last, To to,
                                      Function function = Function()) {
  using value = detail::value_of<From>;
  return detail::scanned<true, value>(policy.self(), "thrust::inclusive_scan", constant_iterator<int>(0), first,
                                      detail::length(first, last), to, value(), false, detail::always_same(),
                                      detail::as_it_is(), function);
}
SIMTLAB_THRUST_WITHOUT_POLICY(inclusive_scan)
template <class Policy, class From, class To, class Type, class Function = plus<>>
SIMTLAB_THRUST_HOST To exclusive_scan(const execution_policy<Policy>& policy, From first, From last, To to, Type begin,
                                      Function function = Function()) {
  return detail::scanned<false, Type>(policy.self(), "thrust::exclusive_scan", constant_iterator<int>(0), first,
                                      detail::length(first, last), to, begin, true, detail::always_same(),
                                      detail::as_it_is(), function);
}
template <class Policy, class From, class To>
SIMTLAB_THRUST_HOST To exclusive_scan(const execution_policy<Policy>& policy, From first, From last, To to) {
  return ::thrust::exclusive_scan(policy, first, last, to, detail::value_of<From>(0));
}
SIMTLAB_THRUST_WITHOUT_POLICY(exclusive_scan)
template <class Policy, class From, class To, class Transform, class Function>
SIMTLAB_THRUST_HOST To transform_inclusive_scan(const execution_policy<Policy>& policy, From first, From last, To to,
                                                Transform transform, Function function) {
  using value = transformed<Transform, From>;
  return detail::scanned<true, value>(policy.self(), "thrust::transform_inclusive_scan", constant_iterator<int>(0),
                                      first, detail::length(first, last), to, value(), false, detail::always_same(),
                                      transform, function);
}
SIMTLAB_THRUST_WITHOUT_POLICY(transform_inclusive_scan)
template <class Policy, class From, class To, class Transform, class Type, class Function>
SIMTLAB_THRUST_HOST To transform_exclusive_scan(const execution_policy<Policy>& policy, From first, From last, To to,
                                                Transform transform, Type begin, Function function) {
  return detail::scanned<false, Type>(policy.self(), "thrust::transform_exclusive_scan", constant_iterator<int>(0),
                                      first, detail::length(first, last), to, begin, true, detail::always_same(),
                                      transform, function);
}
SIMTLAB_THRUST_WITHOUT_POLICY(transform_exclusive_scan)
template <class Policy, class Keys, class From, class To, class Same = equal_to<>, class Function = plus<>>
SIMTLAB_THRUST_HOST To inclusive_scan_by_key(const execution_policy<Policy>& policy, Keys first, Keys last, From from,
                                             To to, Same same = Same(), Function function = Function()) {
  using value = detail::value_of<From>;
  return detail::scanned<true, value>(policy.self(), "thrust::inclusive_scan_by_key", first, from,
                                      detail::length(first, last), to, value(), false, same, detail::as_it_is(),
                                      function);
}
SIMTLAB_THRUST_WITHOUT_POLICY(inclusive_scan_by_key)
template <class Policy, class Keys, class From, class To, class Type, class Same = equal_to<>, class Function = plus<>>
SIMTLAB_THRUST_HOST To exclusive_scan_by_key(const execution_policy<Policy>& policy, Keys first, Keys last, From from,
                                             To to, Type begin, Same same = Same(), Function function = Function()) {
  return detail::scanned<false, Type>(policy.self(), "thrust::exclusive_scan_by_key", first, from,
                                      detail::length(first, last), to, begin, true, same, detail::as_it_is(), function);
}
template <class Policy, class Keys, class From, class To>
SIMTLAB_THRUST_HOST To exclusive_scan_by_key(const execution_policy<Policy>& policy, Keys first, Keys last, From from,
                                             To to) {
  return ::thrust::exclusive_scan_by_key(policy, first, last, from, to, detail::value_of<From>(0));
}
SIMTLAB_THRUST_WITHOUT_POLICY(exclusive_scan_by_key)

// Some elements, in their order

template <class Policy, class From, class Stencil, class To, class Predicate>
SIMTLAB_THRUST_HOST To copy_if(const execution_policy<Policy>& policy, From first, From last, Stencil stencil, To to,
                               Predicate predicate) {
  return to +
         static_cast<ptrdiff_t>(detail::selected(policy.self(), "thrust::copy_if", first, detail::length(first, last),
                                                 stencil, to, discard_iterator<>(), predicate));
}
template <class Policy, class From, class To, class Predicate>
SIMTLAB_THRUST_HOST To copy_if(const execution_policy<Policy>& policy, From first, From last, To to,
                               Predicate predicate) {
  return ::thrust::copy_if(policy, first, last, first, to, predicate);
}
SIMTLAB_THRUST_WITHOUT_POLICY(copy_if)
template <class Policy, class At, class Stencil, class Predicate>
SIMTLAB_THRUST_HOST At remove_if(const execution_policy<Policy>& policy, At first, At last, Stencil stencil,
                                 Predicate predicate) {
  return first + static_cast<ptrdiff_t>(detail::selected(policy.self(), "thrust::remove_if", first,
                                                         detail::length(first, last), stencil, first,
                                                         discard_iterator<>(), detail::is_not<Predicate>{predicate}));
}
template <class Policy, class At, class Predicate>
SIMTLAB_THRUST_HOST At remove_if(const execution_policy<Policy>& policy, At first, At last, Predicate predicate) {
  return ::thrust::remove_if(policy, first, last, first, predicate);
}
SIMTLAB_THRUST_WITHOUT_POLICY(remove_if)
template <class Policy, class At, class Type>
SIMTLAB_THRUST_HOST At remove(const execution_policy<Policy>& policy, At first, At last, const Type& value) {
  return ::thrust::remove_if(policy, first, last, first, detail::is_value<Type>{value});
}
SIMTLAB_THRUST_WITHOUT_POLICY(remove)
template <class Policy, class From, class Stencil, class To, class Predicate>
SIMTLAB_THRUST_HOST To remove_copy_if(const execution_policy<Policy>& policy, From first, From last, Stencil stencil,
                                      To to, Predicate predicate) {
  return ::thrust::copy_if(policy, first, last, stencil, to, detail::is_not<Predicate>{predicate});
}
template <class Policy, class From, class To, class Predicate>
SIMTLAB_THRUST_HOST To remove_copy_if(const execution_policy<Policy>& policy, From first, From last, To to,
                                      Predicate predicate) {
  return ::thrust::copy_if(policy, first, last, first, to, detail::is_not<Predicate>{predicate});
}
SIMTLAB_THRUST_WITHOUT_POLICY(remove_copy_if)

template <class Policy, class From, class Wanted, class Others, class Predicate>
SIMTLAB_THRUST_HOST pair<Wanted, Others> stable_partition_copy(const execution_policy<Policy>& policy, From first,
                                                               From last, Wanted wanted, Others others,
                                                               Predicate predicate) {
  const size_t count = detail::length(first, last);
  const auto taken = static_cast<ptrdiff_t>(
      detail::selected(policy.self(), "thrust::partition", first, count, first, wanted, others, predicate));
  return {wanted + taken, others + (static_cast<ptrdiff_t>(count) - taken)};
}
SIMTLAB_THRUST_WITHOUT_POLICY(stable_partition_copy)
template <class Policy, class From, class Wanted, class Others, class Predicate>
SIMTLAB_THRUST_HOST pair<Wanted, Others> partition_copy(const execution_policy<Policy>& policy, From first, From last,
                                                        Wanted wanted, Others others, Predicate predicate) {
  return ::thrust::stable_partition_copy(policy, first, last, wanted, others, predicate);
}
SIMTLAB_THRUST_WITHOUT_POLICY(partition_copy)
template <class Policy, class At, class Stencil, class Predicate>
SIMTLAB_THRUST_HOST At stable_partition(const execution_policy<Policy>& policy, At first, At last, Stencil stencil,
                                        Predicate predicate) {
  using value = detail::value_of<At>;
  const size_t count = detail::length(first, last);
  const detail::scratch<Policy, value> others(count);
  const size_t taken =
      detail::selected(policy.self(), "thrust::partition", first, count, stencil, first, others.get(), predicate);
  const auto behind = detail::for_policy<Policy>(first + static_cast<ptrdiff_t>(taken));
  detail::run_each(policy.self(), "thrust::partition", count - taken,
                   detail::transforms<value*, std::decay_t<decltype(behind)>, identity<value>>{others.get(), behind,
                                                                                               identity<value>()});
  return first + static_cast<ptrdiff_t>(taken);
}
template <class Policy, class At, class Predicate>
SIMTLAB_THRUST_HOST At stable_partition(const execution_policy<Policy>& policy, At first, At last,
                                        Predicate predicate) {
  return ::thrust::stable_partition(policy, first, last, first, predicate);
}
SIMTLAB_THRUST_WITHOUT_POLICY(stable_partition)
template <class Policy, class At, class Predicate>
SIMTLAB_THRUST_HOST At partition(const execution_policy<Policy>& policy, At first, At last, Predicate predicate) {
  return ::thrust::stable_partition(policy, first, last, first, predicate);
}
SIMTLAB_THRUST_WITHOUT_POLICY(partition)
template <class Policy, class At, class Predicate>
SIMTLAB_THRUST_HOST At partition_point(const execution_policy<Policy>& policy, At first, At last, Predicate predicate) {
  return ::thrust::find_if_not(policy, first, last, predicate);
}
SIMTLAB_THRUST_WITHOUT_POLICY(partition_point)
template <class Policy, class At, class Predicate>
SIMTLAB_THRUST_HOST bool is_partitioned(const execution_policy<Policy>& policy, At first, At last,
                                        Predicate predicate) {
  const At middle = ::thrust::find_if_not(policy, first, last, predicate);
  return ::thrust::find_if(policy, middle, last, predicate) == last;
}
SIMTLAB_THRUST_WITHOUT_POLICY(is_partitioned)

// Neighbours with equal keys

template <class Policy, class At, class Same = equal_to<>>
SIMTLAB_THRUST_HOST At unique(const execution_policy<Policy>& policy, At first, At last, Same same = Same()) {
  return first +
         static_cast<ptrdiff_t>(detail::unique_kept(policy.self(), "thrust::unique", first, detail::length(first, last),
                                                    constant_iterator<int>(0), first, discard_iterator<>(), same));
}
SIMTLAB_THRUST_WITHOUT_POLICY(unique)
template <class Policy, class From, class To, class Same = equal_to<>>
SIMTLAB_THRUST_HOST To unique_copy(const execution_policy<Policy>& policy, From first, From last, To to,
                                   Same same = Same()) {
  return to + static_cast<ptrdiff_t>(detail::unique_kept(policy.self(), "thrust::unique_copy", first,
                                                         detail::length(first, last), constant_iterator<int>(0), to,
                                                         discard_iterator<>(), same));
}
SIMTLAB_THRUST_WITHOUT_POLICY(unique_copy)
template <class Policy, class Keys, class Values, class Same = equal_to<>>
SIMTLAB_THRUST_HOST pair<Keys, Values> unique_by_key(const execution_policy<Policy>& policy, Keys first, Keys last,
                                                     Values values, Same same = Same()) {
  const auto kept = static_cast<ptrdiff_t>(detail::unique_kept(
      policy.self(), "thrust::unique_by_key", first, detail::length(first, last), values, first, values, same));
  return {first + kept, values + kept};
}
SIMTLAB_THRUST_WITHOUT_POLICY(unique_by_key)

template <class Policy, class Keys, class Values, class ToKeys, class ToValues, class Same = equal_to<>,
          class Function = plus<>>
SIMTLAB_THRUST_HOST pair<ToKeys, ToValues> reduce_by_key(const execution_policy<Policy>& policy, Keys first, Keys last,
                                                         Values values, ToKeys to_keys, ToValues to_values,
                                                         Same same = Same(), Function function = Function()) {
  const size_t count = detail::length(first, last);
  if (count == 0) return {to_keys, to_values};
  const auto keys = detail::for_policy<Policy>(first);
  const auto with = detail::for_policy<Policy>(values);
  const auto target = detail::for_policy<Policy>(to_keys);
  const auto sums = detail::for_policy<Policy>(to_values);
  const detail::scratch<Policy, size_t> written(1);
  detail::run_once(
      policy.self(), "thrust::reduce_by_key",
      detail::reduces_by_key<std::decay_t<decltype(keys)>, std::decay_t<decltype(with)>, std::decay_t<decltype(target)>,
                             std::decay_t<decltype(sums)>, Same, Function, detail::value_of<Keys>,
                             detail::value_of<Values>>{keys, with, target, sums, count, same, function, written.get()});
  const auto made = static_cast<ptrdiff_t>(written.fetch());
  return {to_keys + made, to_values + made};
}
SIMTLAB_THRUST_WITHOUT_POLICY(reduce_by_key)

}  // namespace thrust
