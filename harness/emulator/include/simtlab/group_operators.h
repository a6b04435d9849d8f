// The operators of cooperative_groups/reduce.h and scan.h, and an inclusive scan, which a reduction of some lanes needs too.
#pragma once       // IWYU pragma: private, include <cooperative_groups/reduce.h>
#ifndef __clang__  // device_functions.h
#pragma GCC system_header
#endif

#include "../cooperative_groups.h"

namespace cooperative_groups {

template <class T>
struct plus {
  __host__ __device__ T operator()(T a, T b) const { return static_cast<T>(a + b); }
};
/// The smaller one.
template <class T>
struct less {
  __host__ __device__ T operator()(T a, T b) const { return b < a ? b : a; }
};
/// The larger one.
template <class T>
struct greater {
  __host__ __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T>
struct bit_and {
  __host__ __device__ T operator()(T a, T b) const { return static_cast<T>(a & b); }
};
template <class T>
struct bit_or {
  __host__ __device__ T operator()(T a, T b) const { return static_cast<T>(a | b); }
};
template <class T>
struct bit_xor {
  __host__ __device__ T operator()(T a, T b) const { return static_cast<T>(a ^ b); }
};

namespace details {

template <class Group>
struct tile_size : std::integral_constant<unsigned, 0> {};  ///< of a coalesced group only the program knows it
template <unsigned Size, class Parent>
struct tile_size<thread_block_tile<Size, Parent>> : std::integral_constant<unsigned, Size> {};

template <class Operator>
struct operand_of {
  using type = void;  ///< of a functor of the program's own: any
};
template <template <class> class Operator, class T>
struct operand_of<Operator<T>> {
  using type = std::conditional_t<
      std::is_same<Operator<T>, plus<T>>::value || std::is_same<Operator<T>, less<T>>::value ||
          std::is_same<Operator<T>, greater<T>>::value || std::is_same<Operator<T>, bit_and<T>>::value ||
          std::is_same<Operator<T>, bit_or<T>>::value || std::is_same<Operator<T>, bit_xor<T>>::value,
      T, void>;
};

template <class Group, class T, class Operator>
SIMTLAB_GROUP constexpr void check_operands() {
  static_assert(std::is_same<Group, coalesced_group>::value || tile_size<Group>::value != 0,
                "only a tile or a coalesced group reduces and scans");
  using operand = typename operand_of<Operator>::type;
  static_assert(std::is_void<operand>::value || std::is_same<operand, T>::value,
                "the operator's type is not the value's: write cg::plus<float> for a float");
}

template <unsigned Distance, class Tile, class T, class Operator>
SIMTLAB_GROUP T scanned_tile(const Tile& tile, T out, Operator&& combine) {
  if constexpr (Distance < tile_size<Tile>::value) {
    const T left = tile.shfl_up(out, Distance);
    if (tile.thread_rank() >= Distance) out = combine(out, left);
    return scanned_tile<Distance * 2>(tile, out, combine);
  } else {
    return out;
  }
}

/// Of each thread: the values of the threads up to its own, combined.
template <class Group, class T, class Operator>
SIMTLAB_GROUP T scanned(const Group& group, T out, Operator&& combine) {
  if constexpr (tile_size<Group>::value != 0) {
    return scanned_tile<1>(group, out, combine);
  } else {
    const unsigned rank = group.thread_rank(), size = group.size();
    for (unsigned distance = 1; distance < size; distance *= 2) {
      const T left = group.shfl_up(out, distance);
      if (rank >= distance) out = combine(out, left);
    }
    return out;
  }
}

/// Of a cuda::atomic, by the operator's own atomic operation; any other operator compares and swaps. The value before.
template <class Atomic, class T, class Operator>
SIMTLAB_GROUP T updated(Atomic& atomic, T value, Operator&& combine) {
  using operation = simtlab::groups::plain<Operator>;
  if constexpr (std::is_same<operation, plus<T>>::value) {
    return atomic.fetch_add(value, Atomic::_relaxed);
  } else if constexpr (std::is_same<operation, less<T>>::value) {
    return atomic.fetch_min(value, Atomic::_relaxed);
  } else if constexpr (std::is_same<operation, greater<T>>::value) {
    return atomic.fetch_max(value, Atomic::_relaxed);
  } else if constexpr (std::is_same<operation, bit_and<T>>::value) {
    return atomic.fetch_and(value, Atomic::_relaxed);
  } else if constexpr (std::is_same<operation, bit_or<T>>::value) {
    return atomic.fetch_or(value, Atomic::_relaxed);
  } else if constexpr (std::is_same<operation, bit_xor<T>>::value) {
    return atomic.fetch_xor(value, Atomic::_relaxed);
  } else {
    T old = atomic.load(Atomic::_relaxed);
    while (!atomic.compare_exchange_weak(old, combine(old, value), Atomic::_relaxed)) continue;
    return old;
  }
}
/// What stood there before the group's last thread added the group's `total`: the same for all threads.
template <class Group, class Atomic, class T, class Operator>
SIMTLAB_GROUP T updated_by_last(const Group& group, Atomic& atomic, T total, Operator&& combine) {
  const unsigned last = static_cast<unsigned>(group.size()) - 1;
  T before{};
  if (group.thread_rank() == last) before = updated(atomic, total, combine);
  return group.shfl(before, static_cast<int>(last));
}

}  // namespace details
}  // namespace cooperative_groups
