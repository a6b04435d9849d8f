// What cuda/atomic and cuda/std/atomic are made of: atomic operations with a scope and an order. An order is a fence of the
// operation's scope beside it, as PTX has its patterns: before what releases, behind what acquires ("Release and acquire
// patterns"), so that races, findings and counters are those of fences and atomic functions (docs/internals/races.md). Host
// code may call all of it.
#pragma once       // IWYU pragma: private, include <cuda/atomic>
#ifndef __clang__  // ../device_functions.h
#pragma GCC system_header
#endif

#include "../device_atomic_functions.h"
#include "../device_functions.h"
#include "../host_defines.h"
#include "emulator_entry.h"

#include <atomic>
#include <cstddef>
#include <type_traits>

#define SIMTLAB_SCOPED __host__ __device__ inline __attribute__((always_inline, artificial))

namespace cuda {

enum thread_scope {
  thread_scope_system = 0,
  thread_scope_device = 1,
  thread_scope_block = 2,
  thread_scope_thread = 10
};

namespace std {
using ::std::memory_order;
using ::std::memory_order_acq_rel;
using ::std::memory_order_acquire;
using ::std::memory_order_consume;
using ::std::memory_order_relaxed;
using ::std::memory_order_release;
using ::std::memory_order_seq_cst;
}  // namespace std
using std::memory_order;
using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_consume;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;

}  // namespace cuda

namespace simtlab::scoped {

using order = ::std::memory_order;

SIMTLAB_SCOPED constexpr bool releases(order o) {
  return o == ::std::memory_order_release || o == ::std::memory_order_acq_rel || o == ::std::memory_order_seq_cst;
}
SIMTLAB_SCOPED constexpr bool acquires(order o) {
  return o != ::std::memory_order_relaxed && o != ::std::memory_order_release;
}

template <cuda::thread_scope Scope>
constexpr int fence_of = simtlab_fence_of_order | (Scope == cuda::thread_scope_system   ? simtlab_fence_system
                                                   : Scope == cuda::thread_scope_device ? simtlab_fence_device
                                                                                        : simtlab_fence_block);

/// Operations on a `T` of 1, 2, 4 or 8 bytes at `address`.
template <class T, cuda::thread_scope Scope>
struct operations {
  static_assert(::std::is_trivially_copyable<T>::value, "an atomic's type is trivially copyable");
  static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8,
                "the emulator's atomics have 1, 2, 4 or 8 bytes; pad the structure to one of these, or use a lock");
  using word = typename simtlab::word<sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 ? sizeof(T) : 8>::type;
  static constexpr unsigned traits =
      Scope == cuda::thread_scope_block || Scope == cuda::thread_scope_thread ? unsigned{simtlab_atomic_in_block} : 0;

  static SIMTLAB_SCOPED word* word_at(T* address) { return reinterpret_cast<word*>(address); }
  static SIMTLAB_SCOPED void before(order o) {
    if (releases(o)) simtlab_threadfence(fence_of<Scope>);
  }
  static SIMTLAB_SCOPED void behind(order o) {
    if (acquires(o)) simtlab_threadfence(fence_of<Scope>);
  }

  /// Where nobody uses the result, nobody can know what was acquired, and the fence would cost time alone.
  static SIMTLAB_SCOPED unsigned acquiring(order o) { return acquires(o) ? unsigned{simtlab_atomic_acquires} : 0; }

  static SIMTLAB_SCOPED T load(const T* address, order o) {
    if (o == ::std::memory_order_seq_cst) simtlab_threadfence(fence_of<Scope>);
    const uint64_t found = simtlab_atomic_load(address, sizeof(T) | traits);
    behind(o);
    return simtlab::from_bits<T>(found);
  }
  static SIMTLAB_SCOPED void store(T* address, T value, order o) {
    before(o);
    simtlab_atomic_store(address, sizeof(T) | traits, simtlab::bits(value));
  }
  static SIMTLAB_SCOPED T exchange(T* address, T value, order o) {
    before(o);
    const word old =
        simtlab::exchange(word_at(address), static_cast<word>(simtlab::bits(value)), traits | acquiring(o));
    return simtlab::from_bits<T>(old);
  }
  static SIMTLAB_SCOPED bool compare_exchange(T* address, T& expected, T value, order success, order failure) {
    before(success);
    const auto wanted = static_cast<word>(simtlab::bits(expected));
    const word old =
        simtlab::compare_and_swap(word_at(address), wanted, static_cast<word>(simtlab::bits(value)), traits);
    if (acquires(success) || acquires(failure)) simtlab_threadfence(fence_of<Scope>);
    if (old == wanted) return true;
    expected = simtlab::from_bits<T>(old);
    return false;
  }

  /// A read-modify-write that is one operation of the emulator's: of whole numbers, and sums of floating-point ones.
  static SIMTLAB_SCOPED T at_once(T* address, unsigned operation, T operand, order o) {
    constexpr unsigned type = ::std::is_floating_point<T>::value ? simtlab_atomic_floating
                              : ::std::is_signed<T>::value       ? simtlab_atomic_signed
                                                                 : simtlab_atomic_unsigned;
    before(o);
    T old = sizeof(T) == 4 && ::std::is_integral<T>::value && operation == simtlab_atomic_add
                ? simtlab::atomic_add(address, type, operand, traits | acquiring(o))
                : simtlab::atomic(address, operation, type, operand, traits | acquiring(o));
    asm(".set simtlab_result_used, 1" : "+r"(old));  // left out with the result (translator/used_results.h)
    return old;
  }
  static SIMTLAB_SCOPED T fetch_add(T* address, T operand, order o) {
    return at_once(address, simtlab_atomic_add, operand, o);
  }
  static SIMTLAB_SCOPED T fetch_sub(T* address, T operand, order o) {
    if constexpr (::std::is_floating_point<T>::value)
      return at_once(address, simtlab_atomic_add, -operand, o);
    else
      return at_once(address, simtlab_atomic_subtract, operand, o);
  }
  /// Floating-point numbers have no such operation: they are compared and swapped.
  static SIMTLAB_SCOPED T fetch_min(T* address, T operand, order o) {
    if constexpr (::std::is_floating_point<T>::value) {
      T old = load(address, ::std::memory_order_relaxed);
      while (!compare_exchange(address, old, operand < old ? operand : old, o, o)) continue;
      return old;
    } else {
      return at_once(address, simtlab_atomic_min, operand, o);
    }
  }
  static SIMTLAB_SCOPED T fetch_max(T* address, T operand, order o) {
    if constexpr (::std::is_floating_point<T>::value) {
      T old = load(address, ::std::memory_order_relaxed);
      while (!compare_exchange(address, old, old < operand ? operand : old, o, o)) continue;
      return old;
    } else {
      return at_once(address, simtlab_atomic_max, operand, o);
    }
  }
  /// Looks again until something else stands there than `old`. A thread that looks in vain lets others run.
  static SIMTLAB_SCOPED void wait(const T* address, T old, order o) {
    while (simtlab_atomic_load(address, sizeof(T) | traits) == simtlab::bits(old)) continue;
    behind(o);
  }
};

/// The members that cuda::atomic and cuda::atomic_ref share; `Self` says where the object is. A pointer moves by elements.
template <class Self, class T, cuda::thread_scope Scope>
class members {
 public:
  using value_type = T;
  static constexpr bool is_always_lock_free = true;
  static constexpr order _relaxed = ::std::memory_order_relaxed;  ///< for cooperative_groups

  SIMTLAB_SCOPED bool is_lock_free() const volatile noexcept { return true; }
  SIMTLAB_SCOPED T load(order o = ::std::memory_order_seq_cst) const volatile noexcept { return on::load(at(), o); }
  SIMTLAB_SCOPED operator T() const volatile noexcept { return load(); }
  SIMTLAB_SCOPED void store(T value, order o = ::std::memory_order_seq_cst) const volatile noexcept {
    on::store(at(), value, o);
  }
  SIMTLAB_SCOPED T exchange(T value, order o = ::std::memory_order_seq_cst) const volatile noexcept {
    return on::exchange(at(), value, o);
  }
  SIMTLAB_SCOPED bool compare_exchange_strong(T& expected, T value, order success, order failure) const
      volatile noexcept {
    return on::compare_exchange(at(), expected, value, success, failure);
  }
  SIMTLAB_SCOPED bool compare_exchange_strong(T& expected, T value, order o = ::std::memory_order_seq_cst) const
      volatile noexcept {
    return on::compare_exchange(at(), expected, value, o,
                                o == ::std::memory_order_release ? ::std::memory_order_relaxed : o);
  }
  SIMTLAB_SCOPED bool compare_exchange_weak(T& expected, T value, order success, order failure) const
      volatile noexcept {
    return on::compare_exchange(at(), expected, value, success, failure);
  }
  SIMTLAB_SCOPED bool compare_exchange_weak(T& expected, T value, order o = ::std::memory_order_seq_cst) const
      volatile noexcept {
    return compare_exchange_strong(expected, value, o);
  }
  SIMTLAB_SCOPED void wait(T old, order o = ::std::memory_order_seq_cst) const volatile noexcept {
    on::wait(at(), old, o);
  }
  SIMTLAB_SCOPED void notify_one() const volatile noexcept {}
  SIMTLAB_SCOPED void notify_all() const volatile noexcept {}

  template <class D>
  SIMTLAB_SCOPED T fetch_add(D by, order o = ::std::memory_order_seq_cst) const volatile noexcept {
    if constexpr (::std::is_pointer<T>::value)
      return simtlab::from_bits<T>(address::fetch_add(address_at(), bytes_of(by), o));
    else
      return on::fetch_add(at(), static_cast<T>(by), o);
  }
  template <class D>
  SIMTLAB_SCOPED T fetch_sub(D by, order o = ::std::memory_order_seq_cst) const volatile noexcept {
    if constexpr (::std::is_pointer<T>::value)
      return simtlab::from_bits<T>(address::fetch_sub(address_at(), bytes_of(by), o));
    else
      return on::fetch_sub(at(), static_cast<T>(by), o);
  }
  SIMTLAB_SCOPED T fetch_and(T operand, order o = ::std::memory_order_seq_cst) const volatile noexcept {
    return on::at_once(at(), simtlab_atomic_and, operand, o);
  }
  SIMTLAB_SCOPED T fetch_or(T operand, order o = ::std::memory_order_seq_cst) const volatile noexcept {
    return on::at_once(at(), simtlab_atomic_or, operand, o);
  }
  SIMTLAB_SCOPED T fetch_xor(T operand, order o = ::std::memory_order_seq_cst) const volatile noexcept {
    return on::at_once(at(), simtlab_atomic_xor, operand, o);
  }
  SIMTLAB_SCOPED T fetch_min(T operand, order o = ::std::memory_order_seq_cst) const volatile noexcept {
    return on::fetch_min(at(), operand, o);
  }
  SIMTLAB_SCOPED T fetch_max(T operand, order o = ::std::memory_order_seq_cst) const volatile noexcept {
    return on::fetch_max(at(), operand, o);
  }
  SIMTLAB_SCOPED T operator++(int) const volatile noexcept { return fetch_add(1); }
  SIMTLAB_SCOPED T operator--(int) const volatile noexcept { return fetch_sub(1); }
  SIMTLAB_SCOPED T operator++() const volatile noexcept { return static_cast<T>(fetch_add(1) + 1); }
  SIMTLAB_SCOPED T operator--() const volatile noexcept { return static_cast<T>(fetch_sub(1) - 1); }
  template <class D>
  SIMTLAB_SCOPED T operator+=(D by) const volatile noexcept {
    return static_cast<T>(fetch_add(by) + by);
  }
  template <class D>
  SIMTLAB_SCOPED T operator-=(D by) const volatile noexcept {
    return static_cast<T>(fetch_sub(by) - by);
  }
  SIMTLAB_SCOPED T operator&=(T operand) const volatile noexcept {
    return static_cast<T>(fetch_and(operand) & operand);
  }
  SIMTLAB_SCOPED T operator|=(T operand) const volatile noexcept { return static_cast<T>(fetch_or(operand) | operand); }
  SIMTLAB_SCOPED T operator^=(T operand) const volatile noexcept {
    return static_cast<T>(fetch_xor(operand) ^ operand);
  }

 private:
  using on = operations<T, Scope>;
  using address = operations<uint64_t, Scope>;

  SIMTLAB_SCOPED T* at() const volatile noexcept { return Self::object_of(static_cast<const volatile Self*>(this)); }
  SIMTLAB_SCOPED uint64_t* address_at() const volatile noexcept { return reinterpret_cast<uint64_t*>(at()); }
  static SIMTLAB_SCOPED uint64_t bytes_of(::std::ptrdiff_t elements) {
    return static_cast<uint64_t>(elements) *
           sizeof(::std::conditional_t<::std::is_pointer<T>::value, ::std::remove_pointer_t<T>, char>);
  }
};

}  // namespace simtlab::scoped

namespace cuda {

/// A value that threads of `Scope` share. As in CUDA, one that is default-constructed has no value yet.
template <class T, thread_scope Scope = thread_scope_system>
class atomic : public simtlab::scoped::members<atomic<T, Scope>, T, Scope> {
 public:
  atomic() noexcept = default;
  __host__ __device__ constexpr atomic(T value) noexcept : value_(value) {}
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;
  atomic& operator=(const atomic&) volatile = delete;
  SIMTLAB_SCOPED T operator=(T value) noexcept {
    this->store(value);
    return value;
  }
  SIMTLAB_SCOPED T operator=(T value) volatile noexcept {
    this->store(value);
    return value;
  }

 private:
  friend class simtlab::scoped::members<atomic, T, Scope>;
  static SIMTLAB_SCOPED T* object_of(const volatile atomic* self) {
    return reinterpret_cast<T*>(const_cast<atomic*>(self));
  }
  alignas(sizeof(T) > alignof(T) ? sizeof(T) : alignof(T)) T value_;
};

/// Atomic operations on an object that is none.
template <class T, thread_scope Scope = thread_scope_system>
class atomic_ref : public simtlab::scoped::members<atomic_ref<T, Scope>, T, Scope> {
 public:
  static constexpr ::std::size_t required_alignment = sizeof(T) > alignof(T) ? sizeof(T) : alignof(T);

  SIMTLAB_SCOPED explicit atomic_ref(T& object) noexcept : object_(&object) {}
  SIMTLAB_SCOPED atomic_ref(const atomic_ref& other) noexcept : object_(other.object_) {}
  atomic_ref& operator=(const atomic_ref&) = delete;
  SIMTLAB_SCOPED T operator=(T value) const noexcept {
    this->store(value);
    return value;
  }

 private:
  friend class simtlab::scoped::members<atomic_ref, T, Scope>;
  static SIMTLAB_SCOPED T* object_of(const volatile atomic_ref* self) {
    return const_cast<const atomic_ref*>(self)->object_;
  }
  T* object_;
};

SIMTLAB_SCOPED void atomic_thread_fence(memory_order order, thread_scope scope = thread_scope_system) noexcept {
  if (order == memory_order_relaxed) return;
  simtlab_threadfence(simtlab_fence_of_order | (scope == thread_scope_system   ? simtlab_fence_system
                                                : scope == thread_scope_device ? simtlab_fence_device
                                                                               : simtlab_fence_block));
}
/// For the compiler alone.
SIMTLAB_SCOPED void atomic_signal_fence(memory_order) noexcept { __asm__ __volatile__("" ::: "memory"); }

}  // namespace cuda

#undef SIMTLAB_SCOPED
