// Scans over the threads of a tile or coalesced group, and those that go on from what stands in a cuda::atomic.
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

/// Goes on from the atomic's value, which the group's total joins.
template <class Group, class Atomic, class T, class Operator>
SIMTLAB_GROUP simtlab::groups::plain<T> inclusive_scan_update(const Group& group, Atomic& atomic, T&& value,
                                                              Operator&& combine) {
  const simtlab::groups::plain<T> scan = inclusive_scan(group, static_cast<T&&>(value), combine);
  return combine(details::updated_by_last(group, atomic, scan, combine), scan);
}
template <class Group, class Atomic, class T>
SIMTLAB_GROUP simtlab::groups::plain<T> inclusive_scan_update(const Group& group, Atomic& atomic, T&& value) {
  return inclusive_scan_update(group, atomic, static_cast<T&&>(value), plus<simtlab::groups::plain<T>>());
}
template <class Group, class Atomic, class T, class Operator>
SIMTLAB_GROUP simtlab::groups::plain<T> exclusive_scan_update(const Group& group, Atomic& atomic, T&& value,
                                                              Operator&& combine) {
  using type = simtlab::groups::plain<T>;
  const type scan = inclusive_scan(group, static_cast<T&&>(value), combine);
  const type before = details::updated_by_last(group, atomic, scan, combine), left = group.shfl_up(scan, 1);
  return group.thread_rank() == 0 ? before : static_cast<type>(combine(before, left));
}
template <class Group, class Atomic, class T>
SIMTLAB_GROUP simtlab::groups::plain<T> exclusive_scan_update(const Group& group, Atomic& atomic, T&& value) {
  return exclusive_scan_update(group, atomic, static_cast<T&&>(value), plus<simtlab::groups::plain<T>>());
}

}  // namespace cooperative_groups
