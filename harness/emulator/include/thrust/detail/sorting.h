// Sorting by merging: each pass merges pairs of sorted runs, one thread per pair. All sorts are stable.
#pragma once
#ifndef __clang__  // ../../device_functions.h
#pragma GCC system_header
#endif

#include "../iterator/discard_iterator.h"
#include "copying.h"

namespace thrust {
namespace detail {

template <class Keys, class Values, class ToKeys, class ToValues, class Less>
struct merges {
  Keys keys;
  Values values;
  ToKeys to_keys;
  ToValues to_values;
  size_t count, run;
  Less less;
  SIMTLAB_THRUST void operator()(size_t pair) const {
    size_t one = pair * 2 * run;
    const size_t end_one = one + run < count ? one + run : count;
    size_t other = end_one, to = one;
    const size_t end_other = end_one + run < count ? end_one + run : count;
    for (; one < end_one || other < end_other; ++to) {
      const bool takes_other = one == end_one || (other < end_other && const_cast<Less&>(less)(keys[other], keys[one]));
      const size_t from = takes_other ? other++ : one++;
      to_keys[to] = keys[from];
      if constexpr (!std::is_same_v<ToValues, discard_iterator<>>) to_values[to] = values[from];
    }
  }
};

template <class Policy, class Keys, class Values, class OtherKeys, class OtherValues, class Less>
SIMTLAB_THRUST_HOST void sorted(const Policy& policy, const char* name, Keys keys, Values values, OtherKeys other_keys,
                                OtherValues other_values, size_t count, Less less) {
  bool is_back = true;
  for (size_t run = 1; run < count; run *= 2, is_back = !is_back) {
    const size_t pairs = (count + 2 * run - 1) / (2 * run);
    if (is_back)
      run_each(
          policy, name, pairs,
          merges<Keys, Values, OtherKeys, OtherValues, Less>{keys, values, other_keys, other_values, count, run, less});
    else
      run_each(
          policy, name, pairs,
          merges<OtherKeys, OtherValues, Keys, Values, Less>{other_keys, other_values, keys, values, count, run, less});
  }
  if (is_back) return;
  run_each(policy, name, count, transforms<OtherKeys, Keys, identity<>>{other_keys, keys, identity<>()});
  if constexpr (!std::is_same_v<Values, discard_iterator<>>)
    run_each(policy, name, count, transforms<OtherValues, Values, identity<>>{other_values, values, identity<>()});
}

}  // namespace detail

template <class Policy, class At, class Less = less<>>
SIMTLAB_THRUST_HOST void stable_sort(const execution_policy<Policy>& policy, At first, At last, Less less = Less()) {
  const size_t count = detail::length(first, last);
  const detail::scratch<Policy, detail::value_of<At>> others(count);
  detail::sorted(policy.self(), "thrust::sort", detail::for_policy<Policy>(first), discard_iterator<>(), others.get(),
                 discard_iterator<>(), count, less);
}
SIMTLAB_THRUST_WITHOUT_POLICY(stable_sort)
template <class Policy, class At, class Less = less<>>
SIMTLAB_THRUST_HOST void sort(const execution_policy<Policy>& policy, At first, At last, Less less = Less()) {
  ::thrust::stable_sort(policy, first, last, less);
}
SIMTLAB_THRUST_WITHOUT_POLICY(sort)
template <class Policy, class Keys, class Values, class Less = less<>>
SIMTLAB_THRUST_HOST void stable_sort_by_key(const execution_policy<Policy>& policy, Keys first, Keys last,
                                            Values values, Less less = Less()) {
  const size_t count = detail::length(first, last);
  const detail::scratch<Policy, detail::value_of<Keys>> others(count);
  const detail::scratch<Policy, detail::value_of<Values>> other_values(count);
  detail::sorted(policy.self(), "thrust::sort_by_key", detail::for_policy<Policy>(first),
                 detail::for_policy<Policy>(values), others.get(), other_values.get(), count, less);
}
SIMTLAB_THRUST_WITHOUT_POLICY(stable_sort_by_key)
template <class Policy, class Keys, class Values, class Less = less<>>
SIMTLAB_THRUST_HOST void sort_by_key(const execution_policy<Policy>& policy, Keys first, Keys last, Values values,
                                     Less less = Less()) {
  ::thrust::stable_sort_by_key(policy, first, last, values, less);
}
SIMTLAB_THRUST_WITHOUT_POLICY(sort_by_key)

}  // namespace thrust
