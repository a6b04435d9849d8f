// Reductions over the threads of a tile or coalesced group, which all get the result. Whole numbers of up to 4 bytes are
// reduced by one instruction, where the GPU has it and CUDA uses it (compute capability 8, tiles of 16 threads and more);
// all else by shuffles, in the order of CUDA's own, so that sums of floating-point numbers have its bits.
#pragma once
#ifndef __clang__  // ../device_functions.h
#pragma GCC system_header
#endif

#include "../simtlab/group_operators.h"

namespace cooperative_groups {
namespace details {

/// The instruction for the operator; none for any other.
template <class Operator, bool Signed>
struct reduction : std::integral_constant<int, -1> {};
template <class T, bool Signed>
struct reduction<plus<T>, Signed> : std::integral_constant<int, simtlab_reduce_add> {};
template <class T, bool Signed>
struct reduction<less<T>, Signed>
    : std::integral_constant<int, Signed ? simtlab_reduce_min_signed : simtlab_reduce_min_unsigned> {};
template <class T, bool Signed>
struct reduction<greater<T>, Signed>
    : std::integral_constant<int, Signed ? simtlab_reduce_max_signed : simtlab_reduce_max_unsigned> {};
template <class T, bool Signed>
struct reduction<bit_and<T>, Signed> : std::integral_constant<int, simtlab_reduce_and> {};
template <class T, bool Signed>
struct reduction<bit_or<T>, Signed> : std::integral_constant<int, simtlab_reduce_or> {};
template <class T, bool Signed>
struct reduction<bit_xor<T>, Signed> : std::integral_constant<int, simtlab_reduce_xor> {};

template <class Group, class T, class Operator>
constexpr bool has_instruction =
#if __CUDA_ARCH__ >= 800
    std::is_integral<T>::value && sizeof(T) <= 4 && reduction<Operator, std::is_signed<T>::value>::value >= 0 &&
    (tile_size<Group>::value == 0 || tile_size<Group>::value >= 16);
#else
    false;
#endif

/// All threads exchange with partners at half the distance each time.
template <unsigned Distance, class T, class Operator>
SIMTLAB_GROUP T folded(unsigned lanes, unsigned width, T out, Operator&& combine) {
  if constexpr (Distance == 0) {
    return out;
  } else {
    out = combine(out, simtlab::groups::shuffle(lanes, out, Distance, simtlab_shuffle_xor, width));
    return folded<Distance / 2>(lanes, width, out, combine);
  }
}

}  // namespace details

template <class Group, class T, class Operator>
SIMTLAB_GROUP simtlab::groups::plain<T> reduce(const Group& group, T&& value, Operator&& combine) {
  using type = simtlab::groups::plain<T>;
  using operation = simtlab::groups::plain<Operator>;
  details::check_operands<Group, type, operation>();
  if constexpr (details::has_instruction<Group, type, operation>) {
    using word = std::conditional_t<std::is_signed<type>::value, int, unsigned>;
    constexpr int kind = details::reduction<operation, std::is_signed<type>::value>::value;
    return static_cast<type>(simtlab_reduce(group._lanes(), static_cast<unsigned>(static_cast<word>(value)),
                                            static_cast<unsigned>(kind) | simtlab_of_group));
  } else if constexpr (details::tile_size<Group>::value != 0) {
    constexpr unsigned size = details::tile_size<Group>::value;
    return details::folded<size / 2, type>(group._lanes(), size, value, combine);
  } else {
    if (group.size() == 32) return details::folded<16, type>(group._lanes(), 32, value, combine);
    return group.shfl(details::scanned<Group, type>(group, value, combine), static_cast<int>(group.size() - 1));
  }
}

/// One thread of the group stores the result.
template <class Group, class T, class Value, class Operator>
SIMTLAB_GROUP void reduce_store_async(const Group& group, T* to, Value&& value, Operator&& combine) {
  const T result = reduce(group, static_cast<Value&&>(value), combine);
  if (group.thread_rank() == 0) *to = result;
}
/// The same to a cuda::atomic.
template <class Group, class Atomic, class Value, class Operator, class = typename Atomic::value_type>
SIMTLAB_GROUP void reduce_store_async(const Group& group, Atomic& to, Value&& value, Operator&& combine) {
  const typename Atomic::value_type result = reduce(group, static_cast<Value&&>(value), combine);
  if (group.thread_rank() == 0) to.store(result, Atomic::_relaxed);
}
/// One thread of the group combines the result with what stands in a cuda::atomic.
template <class Group, class Atomic, class Value, class Operator>
SIMTLAB_GROUP void reduce_update_async(const Group& group, Atomic& to, Value&& value, Operator&& combine) {
  const typename Atomic::value_type result = reduce(group, static_cast<Value&&>(value), combine);
  if (group.thread_rank() == 0) details::updated(to, result, combine);
}

}  // namespace cooperative_groups
