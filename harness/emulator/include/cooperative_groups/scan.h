// Scans over the threads of a tile or coalesced group. Left out: inclusive_scan_update and exclusive_scan_update, which need
// cuda::atomic.
#pragma once
#ifndef __clang__  // ../device_functions.h
#pragma GCC system_header
#endif

#include "../simtlab/group_operators.h"

namespace cooperative_groups {

template <class Group, class T, class Operator>
SIMTLAB_GROUP simtlab::groups::plain<T> inclusive_scan(const Group& group, T&& value, Operator&& combine) {
  using type = simtlab::groups::plain<T>;
  details::check_operands<Group, type, simtlab::groups::plain<Operator>>();
  return details::scanned<Group, type>(group, value, combine);
}
template <class Group, class T>
SIMTLAB_GROUP simtlab::groups::plain<T> inclusive_scan(const Group& group, T&& value) {
  return inclusive_scan(group, static_cast<T&&>(value), plus<simtlab::groups::plain<T>>());
}

/// The first thread gets `T{}`.
template <class Group, class T, class Operator>
SIMTLAB_GROUP simtlab::groups::plain<T> exclusive_scan(const Group& group, T&& value, Operator&& combine) {
  using type = simtlab::groups::plain<T>;
  details::check_operands<Group, type, simtlab::groups::plain<Operator>>();
  const type inclusive = details::scanned<Group, type>(group, value, combine);
  if constexpr (std::is_integral<type>::value && std::is_same<simtlab::groups::plain<Operator>, plus<type>>::value) {
    return static_cast<type>(inclusive - value);
  } else {
    const type left = group.shfl_up(inclusive, 1);
    return group.thread_rank() == 0 ? type{} : left;
  }
}
template <class Group, class T>
SIMTLAB_GROUP simtlab::groups::plain<T> exclusive_scan(const Group& group, T&& value) {
  return exclusive_scan(group, static_cast<T&&>(value), plus<simtlab::groups::plain<T>>());
}

}  // namespace cooperative_groups
