// Two sorted ranges become one: merged, or as sets in which an element may stand several times. One thread goes through both.
#pragma once
#ifndef __clang__  // ../../device_functions.h
#pragma GCC system_header
#endif

#include "../iterator/constant_iterator.h"
#include "../iterator/discard_iterator.h"
#include "../pair.h"
#include "reductions.h"

namespace thrust {
namespace detail {

/// What an operation takes: an element of the first range alone, of the second alone, or of both (from the first).
struct takes_one {
  bool first, second, both;
};
/// `both` of a merge: an element of each.
template <class One, class OneValues, class Other, class OtherValues, class To, class ToValues, class Less>
struct joins {
  One one;
  OneValues one_values;
  size_t one_count;
  Other other;
  OtherValues other_values;
  size_t other_count;
  To to;
  ToValues to_values;
  Less less;
  takes_one takes;
  bool pairs_equal_ones;  ///< an element of each range makes a pair; else each stands by itself
  size_t* written;
  SIMTLAB_THRUST void operator()() const {
    Less order = less;
    size_t from_one = 0, from_other = 0, at = 0;
    while (from_one < one_count || from_other < other_count) {
      const bool second_first =
          from_one == one_count || (from_other < other_count && order(other[from_other], one[from_one]));
      if (second_first) {
        if (takes.second) {
          to[at] = other[from_other];
          to_values[at++] = other_values[from_other];
        }
        ++from_other;
        continue;
      }
      const bool is_pair = pairs_equal_ones && from_other < other_count && !order(one[from_one], other[from_other]);
      if (is_pair ? takes.both : takes.first) {
        to[at] = one[from_one];
        to_values[at++] = one_values[from_one];
      }
      ++from_one;
      if (is_pair) ++from_other;
    }
    *written = at;
  }
};
template <class Policy, class One, class OneValues, class Other, class OtherValues, class To, class ToValues,
          class Less>
SIMTLAB_THRUST_HOST size_t joined(const Policy& policy, const char* name, One one, One one_end, OneValues one_values,
                                  Other other, Other other_end, OtherValues other_values, To to, ToValues to_values,
                                  Less less, takes_one takes, bool pairs_equal_ones) {
  const auto a = for_policy<Policy>(one);
  const auto a_values = for_policy<Policy>(one_values);
  const auto b = for_policy<Policy>(other);
  const auto b_values = for_policy<Policy>(other_values);
  const auto target = for_policy<Policy>(to);
  const auto target_values = for_policy<Policy>(to_values);
  const scratch<Policy, size_t> written(1);
  run_once(
      policy, name,
      joins<std::decay_t<decltype(a)>, std::decay_t<decltype(a_values)>, std::decay_t<decltype(b)>,
            std::decay_t<decltype(b_values)>, std::decay_t<decltype(target)>, std::decay_t<decltype(target_values)>,
            Less>{a, a_values, length(one, one_end), b, b_values, length(other, other_end), target, target_values, less,
                  takes, pairs_equal_ones, written.get()});
  return written.fetch();
}

}  // namespace detail

#define SIMTLAB_THRUST_JOIN(name, takes, pairs)                                                                  \
  template <class Policy, class One, class Other, class To, class Less = less<>>                                 \
  SIMTLAB_THRUST_HOST To name(const execution_policy<Policy>& policy, One one, One one_end, Other other,         \
                              Other other_end, To to, Less less = Less()) {                                      \
    const discard_iterator<> none;                                                                               \
    return to + static_cast<ptrdiff_t>(detail::joined(policy.self(), "thrust::" #name, one, one_end,             \
                                                      constant_iterator<int>(0), other, other_end,               \
                                                      constant_iterator<int>(0), to, none, less, takes, pairs)); \
  }                                                                                                              \
  SIMTLAB_THRUST_WITHOUT_POLICY(name)
// NOLINTBEGIN(bugprone-macro-parentheses)
SIMTLAB_THRUST_JOIN(merge, (detail::takes_one{true, true, true}), false)
SIMTLAB_THRUST_JOIN(set_union, (detail::takes_one{true, true, true}), true)
SIMTLAB_THRUST_JOIN(set_intersection, (detail::takes_one{false, false, true}), true)
SIMTLAB_THRUST_JOIN(set_difference, (detail::takes_one{true, false, false}), true)
SIMTLAB_THRUST_JOIN(set_symmetric_difference, (detail::takes_one{true, true, false}), true)
// NOLINTEND(bugprone-macro-parentheses)
#undef SIMTLAB_THRUST_JOIN

template <class Policy, class One, class Other, class OneValues, class OtherValues, class To, class ToValues,
          class Less = less<>>
SIMTLAB_THRUST_HOST pair<To, ToValues> merge_by_key(const execution_policy<Policy>& policy, One one, One one_end,
                                                    Other other, Other other_end, OneValues one_values,
                                                    OtherValues other_values, To to, ToValues to_values,
                                                    Less less = Less()) {
  const auto made = static_cast<ptrdiff_t>(detail::joined(policy.self(), "thrust::merge_by_key", one, one_end,
                                                          one_values, other, other_end, other_values, to, to_values,
                                                          less, detail::takes_one{true, true, true}, false));
  return {to + made, to_values + made};
}
SIMTLAB_THRUST_WITHOUT_POLICY(merge_by_key)

}  // namespace thrust
