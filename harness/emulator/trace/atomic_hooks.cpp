// std::atomic and the __atomic builtins in instrumented code: g++ replaces each operation by a call, so the operation
// itself is done here. Host code of a .cu file needs them for every shared_ptr; in a kernel they count as atomics.
#include <cstdint>

#include "trace/hook_state.h"

using namespace simtlab::emulator;

namespace {

/// What stood there instead of the expected value is stored to where that came from: mostly a local variable.
void look_at_expected(void* where, std::uint32_t width, const void* caller) {
  look_below_caller(where, width, caller);
  if (hooks.in_kernel()) return look_at_store(where, width);
  host_access(where, width, false, caller);
  host_access(where, width, true, caller);
}

/// In a kernel an operation like others; host code does no more than the one.
void log_atomic_load(const volatile void* where, std::uint32_t width, const void* caller) {
  if (hooks.in_kernel()) return log_access(where, width, record_kind::atomic, caller);
  host_looks_at(const_cast<const void*>(where), width, caller);
  host_access(const_cast<const void*>(where), width, false, caller);
}
void log_atomic_store(const volatile void* where, std::uint32_t width, const void* caller) {
  log_access(where, width, hooks.in_kernel() ? record_kind::atomic : record_kind::write, caller);
}

}  // namespace

// NOLINTBEGIN(bugprone-macro-parentheses): `word` is a type, which parentheses would break
#define SIMTLAB_FETCH(bits, word, operation)                                          \
  word simtlab_tsan_atomic##bits##_fetch_##operation(volatile word* a, word v, int) { \
    log_access(a, sizeof(word), record_kind::atomic, SIMTLAB_CALLED_FROM);            \
    return __atomic_fetch_##operation(a, v, __ATOMIC_SEQ_CST);                        \
  }
#define SIMTLAB_COMPARE_EXCHANGE(bits, word, strength)                                                              \
  int simtlab_tsan_atomic##bits##_compare_exchange_##strength(volatile word* a, word* expected, word v, int, int) { \
    log_access(a, sizeof(word), record_kind::atomic, SIMTLAB_CALLED_FROM);                                          \
    look_at_expected(expected, sizeof(word), SIMTLAB_CALLED_FROM);                                                  \
    return __atomic_compare_exchange_n(a, expected, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                  \
  }
#define SIMTLAB_ATOMIC_HOOKS(bits, word)                                     \
  word simtlab_tsan_atomic##bits##_load(const volatile word* a, int) {       \
    log_atomic_load(a, sizeof(word), SIMTLAB_CALLED_FROM);                   \
    return __atomic_load_n(a, __ATOMIC_SEQ_CST);                             \
  }                                                                          \
  void simtlab_tsan_atomic##bits##_store(volatile word* a, word v, int) {    \
    log_atomic_store(a, sizeof(word), SIMTLAB_CALLED_FROM);                  \
    __atomic_store_n(a, v, __ATOMIC_SEQ_CST);                                \
  }                                                                          \
  word simtlab_tsan_atomic##bits##_exchange(volatile word* a, word v, int) { \
    log_access(a, sizeof(word), record_kind::atomic, SIMTLAB_CALLED_FROM);   \
    return __atomic_exchange_n(a, v, __ATOMIC_SEQ_CST);                      \
  }                                                                          \
  SIMTLAB_FETCH(bits, word, add)                                             \
  SIMTLAB_FETCH(bits, word, sub)                                             \
  SIMTLAB_FETCH(bits, word, and)                                             \
  SIMTLAB_FETCH(bits, word, or)                                              \
  SIMTLAB_FETCH(bits, word, xor)                                             \
  SIMTLAB_FETCH(bits, word, nand)                                            \
  SIMTLAB_COMPARE_EXCHANGE(bits, word, strong)                               \
  SIMTLAB_COMPARE_EXCHANGE(bits, word, weak)
// NOLINTEND(bugprone-macro-parentheses)

extern "C" {

SIMTLAB_ATOMIC_HOOKS(8, std::uint8_t)
SIMTLAB_ATOMIC_HOOKS(16, std::uint16_t)
SIMTLAB_ATOMIC_HOOKS(32, std::uint32_t)
SIMTLAB_ATOMIC_HOOKS(64, std::uint64_t)

void simtlab_tsan_atomic_thread_fence(int) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void simtlab_tsan_atomic_signal_fence(int) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }

}  // extern "C"
