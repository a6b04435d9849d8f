// cuda::barrier: a phase ends when as many threads have arrived as are expected. Its state is one word: the phase, the arrivals
// that are still expected in it, and those of the next.
#pragma once       // IWYU pragma: private, include <cuda/barrier>
#ifndef __clang__  // ../device_functions.h
#pragma GCC system_header
#endif

#include "scoped_atomics.h"

#define SIMTLAB_SYNC __host__ __device__ inline __attribute__((always_inline, artificial))

namespace cuda {

struct empty_completion {
  SIMTLAB_SYNC void operator()() noexcept {}
};

template <thread_scope Scope, class Completion = empty_completion>
class barrier {
 public:
  /// The phase that a thread has arrived in.
  class arrival_token {
   public:
    arrival_token() = default;

   private:
    friend class barrier;
    SIMTLAB_SYNC explicit arrival_token(uint64_t phase) : phase_(phase) {}
    uint64_t phase_;
  };

  barrier() = default;
  SIMTLAB_SYNC barrier(::std::ptrdiff_t expected, Completion completion = Completion())
      : state_(word_of(0, static_cast<uint64_t>(expected), static_cast<uint64_t>(expected))), completion_(completion) {}
  barrier(const barrier&) = delete;
  barrier& operator=(const barrier&) = delete;
  /// What a constructor does, for a barrier in shared memory; one thread calls it, and a block barrier follows.
  friend SIMTLAB_SYNC void init(barrier* b, ::std::ptrdiff_t expected, Completion completion = Completion()) {
    const auto count = static_cast<uint64_t>(expected);
    b->state_.store(word_of(0, count, count), memory_order_relaxed);
    b->completion_ = completion;
  }

  static SIMTLAB_SYNC constexpr ::std::ptrdiff_t max() noexcept { return most; }
  [[nodiscard]] SIMTLAB_SYNC arrival_token arrive(::std::ptrdiff_t count = 1) {
    return arrival_token(arrived(static_cast<uint64_t>(count), 0));
  }
  SIMTLAB_SYNC void wait(arrival_token&& token) const { wait_for(token.phase_); }
  SIMTLAB_SYNC void wait_parity(bool parity) const {
    while ((state_.load(memory_order_relaxed) >> phase_shift & 1) == static_cast<uint64_t>(parity)) continue;
    atomic_thread_fence(memory_order_acquire, Scope);
  }
  [[nodiscard]] SIMTLAB_SYNC bool try_wait(arrival_token&& token) const { return has_ended(token.phase_); }
  SIMTLAB_SYNC void arrive_and_wait() { wait(arrive()); }
  /// The thread is expected no longer, from the next phase on.
  SIMTLAB_SYNC void arrive_and_drop() { arrived(1, 1); }

 private:
  static constexpr int count_bits = 20, phase_shift = 2 * count_bits;
  static constexpr ::std::ptrdiff_t most = (1 << count_bits) - 1;
  /// Bits 0-19: arrivals missing in this phase; 20-39: expected in the next; from 40: the phase.
  static SIMTLAB_SYNC constexpr uint64_t word_of(uint64_t phase, uint64_t missing, uint64_t expected) {
    return phase << phase_shift | expected << count_bits | missing;
  }

  /// The phase in which it happened. The last one to arrive begins the next.
  SIMTLAB_SYNC uint64_t arrived(uint64_t count, uint64_t dropped) {
    simtlab_copies_arrive();
    const uint64_t before = state_.fetch_sub(dropped << count_bits | count, memory_order_release);
    const uint64_t phase = before >> phase_shift, expected = (before >> count_bits & most) - dropped;
    if ((before & most) < count)
      simtlab_assert_fail("no more threads arrive at a cuda::barrier than it expects", "", 0, "arrive");
    if ((before & most) == count) {
      atomic_thread_fence(memory_order_acquire, Scope);
      completion_();
      state_.store(word_of(phase + 1, expected, expected), memory_order_release);
    }
    return phase;
  }
  SIMTLAB_SYNC bool has_ended(uint64_t phase) const {
    if (state_.load(memory_order_relaxed) >> phase_shift == phase) return false;
    atomic_thread_fence(memory_order_acquire, Scope);
    return true;
  }
  SIMTLAB_SYNC void wait_for(uint64_t phase) const {
    while (state_.load(memory_order_relaxed) >> phase_shift == phase) continue;
    atomic_thread_fence(memory_order_acquire, Scope);
  }

  atomic<uint64_t, Scope> state_;
  [[no_unique_address]] Completion completion_;
};

}  // namespace cuda

#undef SIMTLAB_SYNC
