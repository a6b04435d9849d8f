// What the hooks in student code read and write: one per host thread, small enough to stay in the first cache line.
// While no kernel runs on the thread, `row` is null and every hook is the host's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/closed_memory.h"
#include "core/frame_records.h"
#include "core/types.h"
#include "trace/record.h"
#include "trace/text_base.h"

namespace simtlab::emulator {

/// A token that no event has.
extern "C" const record_key simtlab_no_template;

/// What a hook told, for the guard that stands between hook and access (trace/guards.cpp).
struct told_access {
  address at = 0;
  std::uint32_t width = 0;
  bool is_write = false;

  [[nodiscard]] bool holds(address where, std::uint32_t bytes, bool writes) const {
    return writes == is_write && where >= at && where + bytes <= at + width;
  }
};

/// All zero outside of kernels, also on threads that the emulator has never seen. It has pages of its own, which close while host
/// code runs (core/closed_memory.h): a library's code that stored here would take the hooks away, and the records of frames.
struct alignas(4096) hook_state {
  /// Distance of the template's next token from `simtlab_no_template`; 0: the lane is not on the template.
  std::uint64_t token_distance = 0;
  std::uint64_t* row = nullptr;      ///< this lane's place in the template's next row
  record_key depth = 0;              ///< calls below the kernel, in the bits where a record_key has them
  std::uint64_t* pending = nullptr;  ///< where the hash of the last write's bytes goes once they are stored
  /// What the lane's last hook of a write told, until the lane's turn ends.
  const void* last_write = nullptr;
  std::uint32_t last_write_width = 0;
  /// Where a lane's stores need no further look: the whole address space unless the program is guarded. Set by the worker;
  /// zero until then, so that this object lies among the zeroed ones, behind the program's own.
  address open_begin = 0, open_bytes = 0;
  bool values = false;   ///< whether writes log what they stored
  recorded_stack stack;  ///< what code of the program runs on: the lanes' in a kernel, else the host's
  /// What the lane's last hook of a volatile access told, from when the lane has its turn again: others may have run since the hook,
  /// and the log be told. Until the turn ends.
  told_access last_volatile;

  [[nodiscard]] std::uint8_t call_depth() const { return static_cast<std::uint8_t>(depth >> 56); }
  [[nodiscard]] bool in_kernel() const { return row != nullptr; }
  [[nodiscard]] const record_key* token() const {
    return reinterpret_cast<const record_key*>(reinterpret_cast<address>(&simtlab_no_template) + token_distance);
  }
  void set_token(const record_key* at) {
    token_distance = reinterpret_cast<address>(at) - reinterpret_cast<address>(&simtlab_no_template);
  }
  void leave_template() { token_distance = 0; }
  /// Steps over rows of the template.
  void advance(std::size_t rows) {
    token_distance += rows * sizeof(record_key);
    row += rows * warp_size;
  }
};
// translator/inline_hooks.cpp and translator/guards.cpp write these distances into student code.
static_assert(offsetof(hook_state, token_distance) == 0 && offsetof(hook_state, row) == 8 &&
              offsetof(hook_state, depth) == 16 && offsetof(hook_state, last_write) == 32 &&
              offsetof(hook_state, last_write_width) == 40);

extern __thread hook_state hooks __asm__("simtlab_hooks");

/// The stack of host code, whose frames have records in a program that is guarded against; one thread runs it.
extern recorded_stack host_stack;

/// In a program that is guarded against: what kernels print goes to the descriptor, not to the C library's `stdout`.
extern bool kernels_print_apart;

/// Whether any code of the program was compiled with hooks.
[[nodiscard]] bool program_has_hooks();

/// While the emulator accesses memory on behalf of student code: the site of the student's call, so that a fault there
/// is told at the student's line; 0 otherwise.
extern __thread site attributed_site;

/// Marks the emulator's own access on behalf of the caller.
class attribution_scope {
 public:
  explicit attribution_scope(const void* return_address) { attributed_site = site_at(return_address); }
  ~attribution_scope() { attributed_site = 0; }
  attribution_scope(const attribution_scope&) = delete;  // one per call
  attribution_scope& operator=(const attribution_scope&) = delete;
};

/// The cold path of `look_at_store`, provided by the scheduler: the lane that is about to store to memory of the emulator or
/// its embedder is never resumed. What it logged is told as every other access to host memory is.
void check_store(address where, std::uint32_t width);

/// Provided by the scheduler: what the lane prints comes behind what the blocks before its own print.
void await_earlier_blocks();

/// Provided by the scheduler: a lane that calls `function`, which only host code may call, goes no further.
void refuse_host_function(const char* function, const void* return_address);

/// Provided by the scheduler: a lane that calls what is no function goes no further.
void refuse_call(std::string message, const void* return_address);

/// Provided by the runtime: code of the program that did this to a frame goes no further, unless it is host code and nobody is
/// guarded against it. `message` follows the words "The kernel" or "Host code".
void refuse_frame(const char* message, const void* return_address);

/// Where the code of the program stands that has called the emulator's function which runs: what lies below is in use.
extern __thread address caller_frame;
/// In a function that stores on its caller's behalf: SIMTLAB_CALLED_FROM, for the caller's return address.
inline const void* called_from(const void* frame, const void* return_address) {
  caller_frame = reinterpret_cast<address>(frame);
  return return_address;
}
#define SIMTLAB_CALLED_FROM ::simtlab::emulator::called_from(__builtin_dwarf_cfa(), __builtin_return_address(0))
/// Provided by the runtime: the program hands a function of a library this one to call; where none begins, it goes no further.
void look_at_callback(std::uintptr_t target, const void* return_address);
/// Provided by the runtime: host code that stands there calls a function of a library that follows pointers without looking. Called
/// behind SIMTLAB_CALLED_FROM.
void note_library_call(address place);
inline void library_runs() {
  if (is_memory_closed()) note_library_call(caller_frame - sizeof(address));
}
/// Before such a store: none goes to where the function that makes it runs, or what it calls.
inline void look_below_caller(const volatile void* where, std::size_t bytes, const void* return_address) {
  constexpr std::uint64_t reach =
      64 * 1024;  // no function of the emulator's, or of the C library's that it calls, needs more
  const auto begin = reinterpret_cast<address>(where);
  if (begin < caller_frame && caller_frame - begin < reach + bytes) [[unlikely]]
    refuse_frame(
        "stores below its stack pointer, where nobody's variables are. Has a function returned a pointer to a "
        "local variable?",
        return_address);
}

/// Provided by the scheduler: whether it lies on the stack of the lane that runs.
bool is_on_own_stack(const void* where);

/// Before a lane stores, after the access is logged.
inline void look_at_store(const volatile void* where, std::uint32_t width) {
  const auto a = reinterpret_cast<address>(where);
  if (a - hooks.open_begin >= hooks.open_bytes) [[unlikely]]
    check_store(a, width);
}

/// For accesses that are calls already (atomics): logs one, or reports it when host code makes it.
void log_access(const volatile void* where, std::uint32_t width, record_kind kind, const void* return_address);

/// A texture fetch's texel, in a kernel; null where the fetch reads none there. `further`: not the first of its fetch.
void log_texel(const void* where, std::uint32_t width, bool further, const void* return_address);

/// `memcpy` in pieces of `piece` bytes, logged as made at `return_address`.
void* copy_with_hooks(void* to, const void* from, std::size_t bytes, std::uint32_t piece, const void* return_address);
/// The same for a load or a store that follows, of elements of `piece` bytes.
void log_load(const void* where, std::size_t bytes, std::uint32_t piece, const void* return_address);
void log_store(void* where, std::size_t bytes, std::uint32_t piece, const void* return_address);

/// The lane has passed a fence that left `mark`.
void log_order(address mark, const void* return_address);

/// A step of an asynchronous copy, in a kernel: copy_event's number; the address or the number of groups.
void log_copy(unsigned event, std::uint32_t bytes, address value, const void* return_address);

/// The lane has freed the block of the heap of kernels that begins there.
void log_free(const void* where, const void* return_address);

/// Provided by the scheduler, called after a volatile access is logged and before it is made: such accesses synchronise
/// threads, and a lane that reads the same again and again lets others run.
void volatile_access(const void* where, std::uint32_t width, bool is_write, const void* return_address);
/// The same before a volatile write is logged.
void volatile_store_begins(const void* where, const void* return_address);

/// Provided by the scheduler, called after a read that may be a compare-and-swap's first guess is logged and before it is
/// made (checks/races/cas_probe_reads.h).
void cas_probe_read(const void* where, std::uint32_t width, const void* return_address);

/// Stores the hash of the bytes that the lane's last write left in memory. Called before anything else may change them:
/// the next write of the lane, and the end of its segment.
void settle_pending_write();

/// Called by the hooks when the lane leaves the template, is the first to write it, or runs out of room.
void log_slowly(address where, record_key key);

/// Called when a bundle's token is not the template's next (bundle.h).
void enter_bundle(record_key token);

/// Whether the access to come is one that a guard makes up for (guards.cpp): by the host, one that it has told of late counts once.
extern __thread bool makes_up;

/// Called by the hooks while no kernel runs on this thread.
void host_access(const void* where, std::uint32_t width, bool is_write, const void* return_address);
/// The same access of host code is atomic, or to something volatile. Called before it.
void host_looks_at(const void* where, std::uint32_t width, const void* return_address);

}  // namespace simtlab::emulator
