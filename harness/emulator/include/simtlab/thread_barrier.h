// cuda::barrier: a phase ends when as many threads have arrived as are expected. Its state is one word: the phase, the arrivals
// that are still expected in it, and those of the next. The word orders nothing; its phases do (emulator_entry.h).
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
    b->store(word_of(0, count, count));
    b->completion_ = completion;
  }

  static SIMTLAB_SYNC constexpr ::std::ptrdiff_t max() noexcept { return most; }
  [[nodiscard]] SIMTLAB_SYNC arrival_token arrive(::std::ptrdiff_t count = 1) {
    return arrival_token(arrived(static_cast<uint64_t>(count), 0));
  }
  SIMTLAB_SYNC void wait(arrival_token&& token) const { _wait_for(token.phase_); }
  SIMTLAB_SYNC void wait_parity(bool parity) const {
    uint64_t phase = load_phase();
    while ((phase & 1) == static_cast<uint64_t>(parity)) phase = load_phase();
    simtlab_phase_end(&state_, phase - 1, in_block);
  }
  [[nodiscard]] SIMTLAB_SYNC bool try_wait(arrival_token&& token) const { return has_ended(token.phase_); }
  SIMTLAB_SYNC void arrive_and_wait() { wait(arrive()); }
  /// The thread is expected no longer, from the next phase on.
  SIMTLAB_SYNC void arrive_and_drop() { arrived(1, 1); }
  /// For a pipeline, which counts its stages' phases.
  SIMTLAB_SYNC void _wait_for(uint64_t phase) const {
    while (load_phase() <= phase) continue;
    simtlab_phase_end(&state_, phase, in_block);
  }

 private:
  static constexpr int count_bits = 20, phase_shift = 2 * count_bits;
  static constexpr ::std::ptrdiff_t most = (1 << count_bits) - 1;
  /// Bits 0-19: arrivals missing in this phase; 20-39: expected in the next; from 40: the phase.
  static SIMTLAB_SYNC constexpr uint64_t word_of(uint64_t phase, uint64_t missing, uint64_t expected) {
    return phase << phase_shift | expected << count_bits | missing;
  }

  static constexpr unsigned in_block = simtlab::scoped::operations<uint64_t, Scope>::traits,
                            traits = in_block | simtlab_atomic_orders_nothing;
  SIMTLAB_SYNC void store(uint64_t state) { simtlab_atomic_store(&state_, sizeof state_ | traits, state); }
  SIMTLAB_SYNC uint64_t load_phase() const {
    return simtlab_atomic_load(&state_, sizeof state_ | traits) >> phase_shift;
  }

  /// The phase in which it happened. The last one to arrive begins the next.
  SIMTLAB_SYNC uint64_t arrived(uint64_t count, uint64_t dropped) {
    simtlab_copies_arrive();
    simtlab_phase_arrival(&state_, phase_shift, in_block);
    const uint64_t before = simtlab::atomic(&state_, simtlab_atomic_subtract, simtlab_atomic_unsigned,
                                            dropped << count_bits | count, traits);
    const uint64_t phase = before >> phase_shift, expected = (before >> count_bits & most) - dropped;
    if ((before & most) < count)
      simtlab_assert_fail("no more threads arrive at a cuda::barrier than it expects", "", 0, "arrive");
    if ((before & most) == count) {
      simtlab_phase_end(&state_, phase, in_block);
      completion_();
      simtlab_phase_arrival(&state_, phase_shift, in_block);
      store(word_of(phase + 1, expected, expected));
    }
    return phase;
  }
  SIMTLAB_SYNC bool has_ended(uint64_t phase) const {
    if (load_phase() <= phase) return false;
    simtlab_phase_end(&state_, phase, in_block);
    return true;
  }

  alignas(8) uint64_t state_;
  [[no_unique_address]] Completion completion_;
};

}  // namespace cuda

#undef SIMTLAB_SYNC
