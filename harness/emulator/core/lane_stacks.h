// Where the stacks of a worker's lanes lie. On a GPU local memory is each thread's own, and one address means another place in
// every thread; here the stacks lie side by side in one address space, so that an address alone tells whose it is.
#pragma once

#include <cstdint>

#include "core/types.h"

namespace simtlab::emulator {

/// Stacks of equal size, one behind the other: that of thread `t` of the block that the worker runs is number `t`.
struct lane_stacks {
  address begin = 0;
  std::uint64_t stride = 1;  ///< bytes of one, the guard page in front of it included
  std::uint32_t count = 0;

  [[nodiscard]] bool contains(address a) const { return a - begin < stride * count; }
  /// Where the stack of a thread begins.
  [[nodiscard]] address of(std::uint32_t thread) const { return begin + stride * thread; }
  /// Bytes at a stack's end that its thread leaves unused, so that many stacks do not meet in the same cache sets.
  [[nodiscard]] static constexpr std::uint64_t unused_at_top(std::uint32_t thread) { return thread % 32 * 64; }
  /// Where `a` would lie if it were the same variable of thread 0: equal for the same variable of all threads.
  [[nodiscard]] address as_of_first(address a, std::uint32_t thread) const {
    return a - stride * thread + unused_at_top(thread);
  }
  /// Whose stack holds `a`, which must lie in one.
  [[nodiscard]] std::uint32_t thread_of(address a) const { return static_cast<std::uint32_t>((a - begin) / stride); }
};

/// From a worker's begin to its end. Beyond some hundreds of workers a worker's stacks are not announced.
void announce(const lane_stacks&);
void withdraw(const lane_stacks&);
/// Whether `a` lies on a stack of any worker that is announced; safe to ask while others announce theirs.
[[nodiscard]] bool is_on_lane_stack(address a);

}  // namespace simtlab::emulator
