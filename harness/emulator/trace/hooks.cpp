// The functions that instrumented student code calls, one per access and basic block. g++'s thread sanitizer pass places
// the calls; the assembly rewriter gives them these names, so that a sanitizer build never takes them for its own.
#include <cstdint>
#include <cstring>

#include "core/value_hash.h"
#include "trace/bundle.h"
#include "trace/hook_state.h"
#include "trace/text_base.h"

namespace simtlab::emulator {

__thread hook_state hooks;
extern "C" const record_key simtlab_no_template = no_key;
__thread site acting_for;

void settle_pending_write() {
  if (hooks.pending == nullptr) return;
  *hooks.pending = value_hash(hooks.pending_address, hooks.pending_width);
  hooks.pending = nullptr;
}

namespace {

inline void log(const void* where, std::uint32_t width, record_kind kind, const void* return_address) {
  const auto a = reinterpret_cast<address>(where);
  const record_key key = make_key(site_at(return_address), width, kind, 0) | hooks.depth;
  if (*hooks.token() == key) [[likely]] {
    *hooks.row = a;
    hooks.advance(1);
  } else {
    log_slowly(a, key);
  }
}

inline void read_hook(const void* where, std::uint32_t width, const void* return_address) {
  if (!hooks.in_kernel()) return host_access(where, width, false, return_address);
  log(where, width, record_kind::read, return_address);
}

inline void write_hook(void* where, std::uint32_t width, const void* return_address) {
  if (!hooks.in_kernel()) return host_access(where, width, true, return_address);
  if (!hooks.values) {
    log(where, width, record_kind::write, return_address);
    return look_at_store(where, width);
  }
  settle_pending_write();
  const record_key key = make_key(site_at(return_address), width, record_kind::write, 0) | hooks.depth;
  if (*hooks.token() == key)
      [[likely]] {  // the row after a write's is its value's: the lane that wrote the template made both
    *hooks.row = reinterpret_cast<address>(where);
    hooks.pending = hooks.row + warp_size;
    hooks.advance(2);
  } else {
    log_slowly(reinterpret_cast<address>(where), key);
  }
  hooks.pending_address = where;
  hooks.pending_width = width;
  look_at_store(where, width);
}

inline void volatile_read_hook(const void* where, std::uint32_t width, const void* return_address) {
  read_hook(where, width, return_address);
  if (hooks.in_kernel()) volatile_access(where, width, false, return_address);
}

inline void volatile_write_hook(void* where, std::uint32_t width, const void* return_address) {
  write_hook(where, width, return_address);
  if (hooks.in_kernel()) volatile_access(where, width, true, return_address);
}

inline void guess_hook(const void* where, std::uint32_t width, const void* return_address) {
  read_hook(where, width, return_address);
  if (hooks.in_kernel()) first_guess(where, width, return_address);
}

/// Marks the emulator's own access on behalf of the caller.
class acting {
 public:
  explicit acting(const void* return_address) { acting_for = site_at(return_address); }
  ~acting() { acting_for = 0; }
  acting(const acting&) = delete;  // one per call
  acting& operator=(const acting&) = delete;
};

/// A range is logged in pieces that fit a key.
template <class Hook>
void range_hook(Hook hook, const void* where, std::size_t bytes, const void* return_address) {
  const auto* at = static_cast<const char*>(where);
  while (bytes > 0) {
    const std::size_t piece = bytes < 0x8000 ? bytes : 0x8000;
    hook(const_cast<char*>(at), static_cast<std::uint32_t>(piece), return_address);
    at += piece;
    bytes -= piece;
  }
}

}  // namespace

void log_access(const volatile void* where, std::uint32_t width, record_kind kind, const void* return_address) {
  const auto* plain = const_cast<const void*>(where);
  if (!hooks.in_kernel()) return host_access(plain, width, kind != record_kind::read, return_address);
  settle_pending_write();
  log(plain, width, kind, return_address);
  if (kind != record_kind::read) look_at_store(where, width);
}

void* copy_with_hooks(void* to, const void* from, std::size_t bytes, const void* return_address) {
  range_hook(read_hook, from, bytes, return_address);
  range_hook(write_hook, to, bytes, return_address);
  const acting mark(return_address);
  return std::memcpy(to, from, bytes);
}

void log_order(address mark, const void* return_address) {
  settle_pending_write();
  log(reinterpret_cast<const void*>(mark), 0, record_kind::order, return_address);
}

}  // namespace simtlab::emulator

using namespace simtlab::emulator;

#define SIMTLAB_CALLER __builtin_return_address(0)
#define SIMTLAB_READ_WRITE(width)                                                                     \
  void simtlab_tsan_read##width(void* a) { read_hook(a, width, SIMTLAB_CALLER); }                     \
  void simtlab_tsan_write##width(void* a) { write_hook(a, width, SIMTLAB_CALLER); }                   \
  void simtlab_tsan_unaligned_read##width(void* a) { read_hook(a, width, SIMTLAB_CALLER); }           \
  void simtlab_tsan_unaligned_write##width(void* a) { write_hook(a, width, SIMTLAB_CALLER); }         \
  void simtlab_tsan_volatile_read##width(void* a) { volatile_read_hook(a, width, SIMTLAB_CALLER); }   \
  void simtlab_tsan_volatile_write##width(void* a) { volatile_write_hook(a, width, SIMTLAB_CALLER); } \
  void simtlab_tsan_unaligned_volatile_read##width(void* a) { read_hook(a, width, SIMTLAB_CALLER); }  \
  void simtlab_tsan_unaligned_volatile_write##width(void* a) { write_hook(a, width, SIMTLAB_CALLER); }

extern "C" {

void simtlab_tsan_init() {}
void simtlab_tsan_func_entry(void*) {
  if (hooks.depth != depth_bits) hooks.depth += depth_bits & -depth_bits;
}
void simtlab_tsan_func_exit(void*) {
  if (hooks.depth != 0) hooks.depth -= depth_bits & -depth_bits;
}

SIMTLAB_READ_WRITE(1)
SIMTLAB_READ_WRITE(2)
SIMTLAB_READ_WRITE(4)
SIMTLAB_READ_WRITE(8)
SIMTLAB_READ_WRITE(16)

void simtlab_tsan_guess2(void* a) { guess_hook(a, 2, SIMTLAB_CALLER); }
void simtlab_tsan_guess4(void* a) { guess_hook(a, 4, SIMTLAB_CALLER); }
void simtlab_tsan_guess8(void* a) { guess_hook(a, 8, SIMTLAB_CALLER); }

void simtlab_tsan_read_range(void* a, std::size_t bytes) { range_hook(read_hook, a, bytes, SIMTLAB_CALLER); }
void simtlab_tsan_write_range(void* a, std::size_t bytes) { range_hook(write_hook, a, bytes, SIMTLAB_CALLER); }
void simtlab_tsan_vptr_update(void** a, void*) {
  if (!hooks.in_kernel()) return host_access(a, sizeof *a, true, SIMTLAB_CALLER);
  look_at_store(a, sizeof *a);
}
void simtlab_tsan_vptr_read(void**) {}

/// Called by `simtlab_log_bundle`.
void simtlab_enter_bundle(record_key token) {
  if (hooks.in_kernel()) enter_bundle(token);
}

void simtlab_cov_trace_pc() {
  if (hooks.in_kernel()) log(nullptr, 0, record_kind::step, SIMTLAB_CALLER);
}

void* simtlab_memcpy(void* to, const void* from, std::size_t bytes) {
  return copy_with_hooks(to, from, bytes, SIMTLAB_CALLER);
}
void* simtlab_memmove(void* to, const void* from, std::size_t bytes) {
  range_hook(read_hook, from, bytes, SIMTLAB_CALLER);
  range_hook(write_hook, to, bytes, SIMTLAB_CALLER);
  const acting mark(SIMTLAB_CALLER);
  return std::memmove(to, from, bytes);
}
void* simtlab_memset(void* to, int value, std::size_t bytes) {
  range_hook(write_hook, to, bytes, SIMTLAB_CALLER);
  const acting mark(SIMTLAB_CALLER);
  return std::memset(to, value, bytes);
}

}  // extern "C"

// What an inline hook calls when its bundle's token, in %rdx, is not the template's next. Keeps %rdi, the address of a read
// that begins a bundle; student code counts on no other register here, as at any call.
#ifdef __x86_64__
__asm__(R"(
	.text
	.globl	simtlab_log_bundle
	.type	simtlab_log_bundle, @function
simtlab_log_bundle:
	.cfi_startproc
	pushq	%rdi
	.cfi_adjust_cfa_offset 8
	movq	%rdx, %rdi
	call	simtlab_enter_bundle
	popq	%rdi
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc
	.size	simtlab_log_bundle, .-simtlab_log_bundle
)");
#endif
