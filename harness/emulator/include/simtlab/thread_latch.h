// cuda::latch and cuda::counting_semaphore: counts that threads wait for.
#pragma once       // IWYU pragma: private, include <cuda/latch>
#ifndef __clang__  // ../device_functions.h
#pragma GCC system_header
#endif

#include "scoped_atomics.h"

#define SIMTLAB_SYNC __host__ __device__ inline __attribute__((always_inline, artificial))

namespace cuda {

template <thread_scope Scope = thread_scope_system>
class latch {
 public:
  SIMTLAB_SYNC constexpr explicit latch(::std::ptrdiff_t expected) : left_(expected) {}
  latch(const latch&) = delete;
  latch& operator=(const latch&) = delete;
  SIMTLAB_SYNC void count_down(::std::ptrdiff_t by = 1) { left_.fetch_sub(by, memory_order_release); }
  [[nodiscard]] SIMTLAB_SYNC bool try_wait() const { return left_.load(memory_order_acquire) == 0; }
  SIMTLAB_SYNC void wait() const {
    while (left_.load(memory_order_relaxed) != 0) continue;
    atomic_thread_fence(memory_order_acquire, Scope);
  }
  SIMTLAB_SYNC void arrive_and_wait(::std::ptrdiff_t by = 1) {
    count_down(by);
    wait();
  }

 private:
  atomic<::std::ptrdiff_t, Scope> left_;
};

template <thread_scope Scope = thread_scope_system, ::std::ptrdiff_t Most = 0x7fffffff>
class counting_semaphore {
 public:
  SIMTLAB_SYNC constexpr explicit counting_semaphore(::std::ptrdiff_t permits) : permits_(permits) {}
  counting_semaphore(const counting_semaphore&) = delete;
  counting_semaphore& operator=(const counting_semaphore&) = delete;
  static SIMTLAB_SYNC constexpr ::std::ptrdiff_t max() noexcept { return Most; }
  SIMTLAB_SYNC void release(::std::ptrdiff_t permits = 1) { permits_.fetch_add(permits, memory_order_release); }
  SIMTLAB_SYNC bool try_acquire() {
    ::std::ptrdiff_t left = permits_.load(memory_order_relaxed);
    while (left > 0)
      if (permits_.compare_exchange_weak(left, left - 1, memory_order_acquire, memory_order_relaxed)) return true;
    return false;
  }
  SIMTLAB_SYNC void acquire() {
    while (!try_acquire()) continue;
  }

 private:
  atomic<::std::ptrdiff_t, Scope> permits_;
};
template <thread_scope Scope = thread_scope_system>
using binary_semaphore = counting_semaphore<Scope, 1>;

}  // namespace cuda

#undef SIMTLAB_SYNC
