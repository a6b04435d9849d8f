// The functions that instrumented student code calls, one per access and basic block. g++'s thread sanitizer pass places
// the calls; the assembly rewriter gives them these names, so that a sanitizer build never takes them for its own.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "core/closed_memory.h"
#include "core/value_hash.h"
#include "trace/added_access.h"
#include "trace/bundle.h"
#include "trace/hook_state.h"
#include "trace/parameters.h"
#include "trace/text_base.h"
#include "trace/vector_registers.h"

namespace simtlab::emulator {

__thread hook_state hooks;
recorded_stack host_stack;
__thread address caller_frame;
extern "C" const record_key simtlab_no_template = no_key;
__thread site attributed_site;
__thread bool makes_up;

namespace {

/// Whether the last write was to a local variable near the top of the stack. It may be gone by now, and nobody compares what
/// locals hold.
bool wrote_near_top_of_stack() {
  constexpr address near = 64 * 1024;
  const auto top = reinterpret_cast<address>(__builtin_frame_address(0));
  return reinterpret_cast<address>(hooks.last_write) - top + near < 2 * near && is_on_own_stack(hooks.last_write);
}

}  // namespace

void settle_pending_write() {
  if (hooks.pending == nullptr) return;
  *hooks.pending = wrote_near_top_of_stack() ? 0 : value_hash(hooks.last_write, hooks.last_write_width);
  hooks.pending = nullptr;
}

namespace {

bool has_hooks;

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
  if (!hooks.in_kernel()) return host_access(where, bytes_of(width), false, return_address);
  log(where, width, record_kind::read, return_address);
}

inline void write_hook(void* where, std::uint32_t width, const void* return_address) {
  if (!hooks.in_kernel()) return host_access(where, bytes_of(width), true, return_address);
  if (!hooks.values) {
    log(where, width, record_kind::write, return_address);
    hooks.last_write = where;
    hooks.last_write_width = bytes_of(width);
    return look_at_store(where, bytes_of(width));
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
  hooks.last_write = where;
  hooks.last_write_width = bytes_of(width);
  look_at_store(where, bytes_of(width));
}

inline void volatile_read_hook(const void* where, std::uint32_t width, const void* return_address) {
  if (!hooks.in_kernel()) host_looks_at(where, bytes_of(width), return_address);
  read_hook(where, width, return_address);
  if (!hooks.in_kernel()) return;
  volatile_access(where, width, false, return_address);
  hooks.last_volatile = {reinterpret_cast<address>(where), width, false};
}

inline void volatile_write_hook(void* where, std::uint32_t width, const void* return_address) {
  if (hooks.in_kernel())
    volatile_store_begins(where, return_address);
  else
    host_looks_at(where, bytes_of(width), return_address);
  write_hook(where, width, return_address);
  if (!hooks.in_kernel()) return;
  volatile_access(where, width, true, return_address);
  hooks.last_volatile = {reinterpret_cast<address>(where), width, true};
}

inline void probe_hook(const void* where, std::uint32_t width, const void* return_address) {
  read_hook(where, width, return_address);
  if (hooks.in_kernel()) cas_probe_read(where, width, return_address);
}

/// A structure, which a GPU accesses in pieces of `piece` bytes. It is logged in parts that fit a key.
template <class Hook>
void range_hook(Hook hook, const void* where, std::size_t bytes, std::uint32_t piece, const void* return_address) {
  const auto* at = static_cast<const char*>(where);
  while (bytes > 0) {
    const auto part = static_cast<std::uint32_t>(bytes < most_bytes_in_pieces ? bytes : most_bytes_in_pieces);
    hook(const_cast<char*>(at), width_in_pieces(part, piece), return_address);
    at += part;
    bytes -= part;
  }
}

/// The pieces of a structure of which nothing but its size is known: most have members of 4 bytes.
std::uint32_t likely_piece(std::size_t bytes) {
  return bytes % 4 == 0 ? 4 : 1U << static_cast<unsigned>(std::countr_zero(bytes));
}
/// The largest pieces that `alignment` and the size allow.
std::uint32_t largest_piece(std::size_t bytes, std::uint32_t alignment) {
  return std::min(alignment, 1U << static_cast<unsigned>(std::countr_zero(bytes | 16)));
}

}  // namespace

bool program_has_hooks() { return has_hooks; }

void log_access(const volatile void* where, std::uint32_t width, record_kind kind, const void* return_address) {
  const auto* plain = const_cast<const void*>(where);
  if (kind != record_kind::read) look_below_caller(where, width, return_address);
  if (!hooks.in_kernel()) {
    host_looks_at(plain, width, return_address);
    if (kind != record_kind::write) host_access(plain, width, false, return_address);
    if (kind != record_kind::read) host_access(plain, width, true, return_address);
    return;
  }
  settle_pending_write();
  log(plain, width, kind, return_address);
  if (kind != record_kind::read) look_at_store(where, width);
}

void log_texel(const void* where, std::uint32_t width, bool further, const void* return_address) {
  settle_pending_write();
  log(where, width, further ? record_kind::texel : record_kind::fetch, return_address);
}

void log_copy(unsigned event, std::uint32_t bytes, address value, const void* return_address) {
  if (!hooks.in_kernel()) return;
  settle_pending_write();
  log(reinterpret_cast<const void*>(value), event << 5 | bytes, record_kind::copy, return_address);
}

void log_free(const void* where, const void* return_address) {
  if (!hooks.in_kernel()) return;
  settle_pending_write();
  log(where, 0, record_kind::free, return_address);
}

void* copy_with_hooks(void* to, const void* from, std::size_t bytes, std::uint32_t piece, const void* return_address) {
  look_below_caller(to, bytes, return_address);
  range_hook(read_hook, from, bytes, piece, return_address);
  range_hook(write_hook, to, bytes, piece, return_address);
  const attribution_scope mark(return_address);
  return std::memcpy(to, from, bytes);
}

void log_load(const void* where, std::size_t bytes, std::uint32_t piece, const void* return_address) {
  range_hook(read_hook, where, bytes, piece, return_address);
}
void log_store(void* where, std::size_t bytes, std::uint32_t piece, const void* return_address) {
  look_below_caller(where, bytes, return_address);
  range_hook(write_hook, where, bytes, piece, return_address);
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

/// Called at the start by every object that has hooks.
void simtlab_tsan_init() {
  const bool was_closed = open_memory();
  has_hooks = true;
  if (was_closed) close_memory();
}
void simtlab_tsan_func_entry(void*) {
  if (hooks.in_kernel() && hooks.depth != depth_bits) hooks.depth += depth_bits & -depth_bits;
}
void simtlab_tsan_func_exit(void*) {
  if (hooks.in_kernel() && hooks.depth != 0) hooks.depth -= depth_bits & -depth_bits;
}

SIMTLAB_READ_WRITE(1)
SIMTLAB_READ_WRITE(2)
SIMTLAB_READ_WRITE(4)
SIMTLAB_READ_WRITE(8)
SIMTLAB_READ_WRITE(16)

void simtlab_tsan_probe2(void* a) { probe_hook(a, 2, SIMTLAB_CALLER); }
void simtlab_tsan_probe4(void* a) { probe_hook(a, 4, SIMTLAB_CALLER); }
void simtlab_tsan_probe8(void* a) { probe_hook(a, 8, SIMTLAB_CALLER); }

void simtlab_tsan_read_range(void* a, std::size_t bytes) {
  range_hook(read_hook, a, bytes, likely_piece(bytes), SIMTLAB_CALLER);
}
void simtlab_tsan_write_range(void* a, std::size_t bytes) {
  range_hook(write_hook, a, bytes, likely_piece(bytes), SIMTLAB_CALLER);
}
void simtlab_tsan_read_pieces(void* a, std::size_t bytes, std::uint32_t alignment) {
  range_hook(read_hook, a, bytes, largest_piece(bytes, alignment), SIMTLAB_CALLER);
}
void simtlab_tsan_write_pieces(void* a, std::size_t bytes, std::uint32_t alignment) {
  range_hook(write_hook, a, bytes, largest_piece(bytes, alignment), SIMTLAB_CALLER);
}
void simtlab_tsan_vptr_update(void** a, void*) { write_hook(a, sizeof *a, SIMTLAB_CALLER); }
void simtlab_tsan_vptr_read(void** a) { read_hook(a, sizeof *a, SIMTLAB_CALLER); }

/// Called by `simtlab_host_read`. The read's site is `return_address`, as when a kernel makes it.
void simtlab_tell_host_read(void* a, const void* return_address, std::uint32_t width) {
  host_access(a, width, false, return_address);
}

/// Called by `simtlab_log_bundle`.
void simtlab_enter_bundle(record_key token) {
  if (hooks.in_kernel()) enter_bundle(token);
}

void simtlab_cov_trace_pc() {
  if (hooks.in_kernel()) log(nullptr, 0, record_kind::step, SIMTLAB_CALLER);
}

// Of a structure's assignment, which has its hooks.
void* simtlab_plain_memcpy(void* to, const void* from, std::size_t bytes) {
  look_below_caller(to, bytes, SIMTLAB_CALLED_FROM);
  const attribution_scope mark(SIMTLAB_CALLER);
  return std::memcpy(to, from, bytes);
}
void* simtlab_plain_memmove(void* to, const void* from, std::size_t bytes) {
  look_below_caller(to, bytes, SIMTLAB_CALLED_FROM);
  const attribution_scope mark(SIMTLAB_CALLER);
  return std::memmove(to, from, bytes);
}
void* simtlab_plain_memset(void* to, int value, std::size_t bytes) {
  look_below_caller(to, bytes, SIMTLAB_CALLED_FROM);
  const attribution_scope mark(SIMTLAB_CALLER);
  return std::memset(to, value, bytes);
}

/// Called by `simtlab_added_read` and `simtlab_added_write`.
void simtlab_log_added(address at, std::uint32_t code, const void* return_address, bool is_write) {
  const added_access what = added_access::from(code);
  if (what.thread_local_) at += reinterpret_cast<address>(__builtin_thread_pointer());
  auto* const where = reinterpret_cast<char*>(at);
  if (hooks.in_kernel() && is_on_own_stack(where)) {  // a structure that only this thread has, as in registers
    if (const address parameter = is_write ? 0 : counted_parameter(where, what.bytes); parameter != 0)
      range_hook(read_hook, reinterpret_cast<const char*>(parameter), what.bytes, what.piece, return_address);
    return;
  }
  if (is_write)
    range_hook(write_hook, where, what.bytes, what.piece, return_address);
  else
    range_hook(read_hook, where, what.bytes, what.piece, return_address);
}

}  // extern "C"

// What inline hooks call: when the bundle's token, in %rdx, is not the template's next; and by the host, for a read. They keep
// %rdi, the read's address; student code counts on no other register here, as at any call.
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
	.globl	simtlab_host_read
	.type	simtlab_host_read, @function
simtlab_host_read:
	.cfi_startproc
	pushq	%rdi
	.cfi_adjust_cfa_offset 8
	call	simtlab_tell_host_read
	popq	%rdi
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc
	.size	simtlab_host_read, .-simtlab_host_read
)");

// What an added hook calls: the address in %rdi and its code on the stack. No register and no flag changes.
#define SIMTLAB_ADDED_HOOK(name, is_write)                                                                \
  __asm__("\t.text\n\t.globl\t" name "\n\t.type\t" name ", @function\n" name                              \
          ":\n"                                                                                           \
          "\tpushfq\n\tpushq\t%rax\n\tpushq\t%rcx\n\tpushq\t%rdx\n\tpushq\t%rsi\n"                        \
          "\tpushq\t%r8\n\tpushq\t%r9\n\tpushq\t%r10\n\tpushq\t%r11\n\tpushq\t%rbp\n\tmovq\t%rsp, %rbp\n" \
          "\tsubq\t$256, %rsp\n\tandq\t$-16, %rsp\n\tcld\n" SIMTLAB_VECTORS_SAVED                         \
          "\tmovq\t88(%rbp), %rsi\n\tmovq\t80(%rbp), %rdx\n\tmovl\t$" #is_write                           \
          ", %ecx\n"                                                                                      \
          "\tcall\tsimtlab_log_added\n" SIMTLAB_VECTORS_RESTORED                                          \
          "\tmovq\t%rbp, %rsp\n\tpopq\t%rbp\n\tpopq\t%r11\n\tpopq\t%r10\n\tpopq\t%r9\n\tpopq\t%r8\n"      \
          "\tpopq\t%rsi\n\tpopq\t%rdx\n\tpopq\t%rcx\n\tpopq\t%rax\n\tpopfq\n\tret\n"                      \
          "\t.size\t" name ", .-" name "\n")
SIMTLAB_ADDED_HOOK("simtlab_added_read", 0);
SIMTLAB_ADDED_HOOK("simtlab_added_write", 1);
#endif
