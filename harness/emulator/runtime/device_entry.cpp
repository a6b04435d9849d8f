// The emulator's side of what device code calls: barriers, warp primitives, fences, atomics, dynamic shared memory.
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <type_traits>
#include <utility>

#include "include/simtlab/emulator_entry.h"
#include "runtime/device.h"
#include "runtime/emulator_call.h"
#include "scheduler/worker.h"
#include "trace/hook_state.h"
#include "trace/text_base.h"

namespace simtlab::emulator {
namespace {

[[gnu::cold, gnu::noinline]] void report_host_call(const char* function, const void* return_address) {
  const emulator_call inside;
  device& d = device::instance();
  const std::lock_guard guard(d.lock);
  d.report_host(rule::unsupported, site_at(return_address), "",
                std::string("Host code calls ") + function + ", which only a kernel may call.");
}

/// The worker that runs the calling lane. Host code that calls a device function has none: it is told so, once.
inline worker* worker_or_report(const char* function, const void* return_address) {
  worker* w = worker::current();
  if (w != nullptr && w->in_lane()) return w;
  report_host_call(function, return_address);
  return nullptr;
}

std::uint64_t ask_warp(const char* function, const primitive_call& call, const void* return_address,
                       bool* all_equal = nullptr) {
  worker* w = worker_or_report(function, return_address);
  if (w == nullptr) return 0;
  const primitive_call& answer = w->warp_primitive(site_at(return_address), call);
  if (all_equal != nullptr) *all_equal = answer.all_equal;
  return answer.result;
}

constexpr bool is_of_group(unsigned kind_and_trait) { return (kind_and_trait & simtlab_of_group) != 0; }
constexpr unsigned plain_kind(unsigned kind_and_trait) { return kind_and_trait & ~unsigned{simtlab_of_group}; }

template <class Word>
Word bits_after(unsigned operation, unsigned type, Word old, Word operand) {
  using signed_word = std::make_signed_t<Word>;
  const bool is_signed = type == simtlab_atomic_signed;
  const auto less = [&](Word a, Word b) {
    return is_signed ? static_cast<signed_word>(a) < static_cast<signed_word>(b) : a < b;
  };
  switch (operation) {
    case simtlab_atomic_add:
    case simtlab_atomic_count:
      return static_cast<Word>(old + operand);
    case simtlab_atomic_subtract:
      return static_cast<Word>(old - operand);
    case simtlab_atomic_exchange:
      return operand;
    case simtlab_atomic_min:
      return less(operand, old) ? operand : old;
    case simtlab_atomic_max:
      return less(old, operand) ? operand : old;
    case simtlab_atomic_increment:
      return old >= operand ? Word{0} : static_cast<Word>(old + 1);
    case simtlab_atomic_decrement:
      return old == 0 || old > operand ? operand : static_cast<Word>(old - 1);
    case simtlab_atomic_and:
      return old & operand;
    case simtlab_atomic_or:
      return old | operand;
    default:
      return old ^ operand;
  }
}

template <class Word, class Floating>
Word sum_of(Word a, Word b) {
  return std::bit_cast<Word>(std::bit_cast<Floating>(a) + std::bit_cast<Floating>(b));
}

template <class Word>
Word result_of(unsigned operation, unsigned type, Word old, Word operand) {
  if (type != simtlab_atomic_floating || operation != simtlab_atomic_add)
    return bits_after<Word>(operation, type, old, operand);
  if constexpr (sizeof(Word) == 4) return sum_of<Word, float>(old, operand);
  if constexpr (sizeof(Word) == 8) return sum_of<Word, double>(old, operand);
  return old;
}

constexpr unsigned width_of_atomic(unsigned width_and_traits) { return width_and_traits & 0xff; }

/// A GPU has no instruction for the sum of floating-point numbers in shared memory, and of 64 bits for exchange and swap only.
record_kind kind_of_atomic(unsigned width, unsigned operation, unsigned type) {
  if (operation == simtlab_atomic_count) return record_kind::count;
  if (operation == simtlab_atomic_exchange) return record_kind::atomic;
  return width == 8 || type == simtlab_atomic_floating ? record_kind::loop : record_kind::atomic;
}

/// `wanted`: what shall stand there in place of a given word.
template <class Word, class Wanted>
std::uint64_t exchange(volatile void* where, const Wanted& wanted, bool& changed, std::uint64_t& to) {
  auto* word = static_cast<volatile Word*>(where);
  Word old = __atomic_load_n(word, __ATOMIC_RELAXED);
  for (;;) {
    const Word next = wanted(old);
    if (!__atomic_compare_exchange_n(word, &old, next, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) continue;
    changed = next != old;
    to = next;
    return old;
  }
}

/// An atomic operation at the call that returns to `caller`. `always_writes`: even what stood there before. `may_take`: a lock
/// may be taken by it.
template <class Wanted>
std::uint64_t update(volatile void* where, unsigned width_and_traits, bool always_writes, const void* caller,
                     const Wanted& wanted, record_kind kind, bool may_take) {
  const unsigned width = width_of_atomic(width_and_traits);
  const bool in_block = (width_and_traits & simtlab_atomic_in_block) != 0;
  unsigned traits = in_block ? atomic_trait::in_block : 0;
  if ((width_and_traits & simtlab_atomic_changes_nothing) != 0) traits |= atomic_trait::changes_nothing;
  worker* const w = worker::current();
  const void* const at = const_cast<const void*>(where);
  const bool in_lane = w != nullptr && w->in_lane();
  if (in_lane) w->store_begins(at, caller);
  log_access(where, width, with_traits(kind, traits), caller);
  attributed_site = site_at(caller);
  bool changed = false;
  std::uint64_t to = 0;
  const std::uint64_t old = width == 1   ? exchange<std::uint8_t>(where, wanted, changed, to)
                            : width == 2 ? exchange<std::uint16_t>(where, wanted, changed, to)
                            : width == 4 ? exchange<std::uint32_t>(where, wanted, changed, to)
                                         : exchange<std::uint64_t>(where, wanted, changed, to);
  attributed_site = 0;
  if (!in_lane) return old;
  if ((width_and_traits & simtlab_atomic_orders_nothing) == 0)
    w->synchronise(at,
                   {.reads = true,
                    .writes = changed || always_writes,
                    .replaces = false,
                    .in_block = in_block,
                    .takes = changed && may_take,
                    .from = old,
                    .to = to},
                   caller);
  if (changed)
    w->change(site_at(caller), at, width);
  else
    w->poll(site_at(caller), at, width, old);
  return old;
}

/// Hands a word of `width` bytes to `visit`, as what it is made of.
template <class Visit>
auto visit_word(const volatile void* where, unsigned width, const Visit& visit) {
  auto* const at = const_cast<void*>(const_cast<const void*>(where));
  return width == 1   ? visit(static_cast<std::uint8_t*>(at))
         : width == 2 ? visit(static_cast<std::uint16_t*>(at))
         : width == 4 ? visit(static_cast<std::uint32_t*>(at))
                      : visit(static_cast<std::uint64_t*>(at));
}

unsigned traits_of_atomic(unsigned width_and_traits) {
  return (width_and_traits & simtlab_atomic_in_block) != 0 ? unsigned{atomic_trait::in_block} : 0U;
}

/// Barriers are spared a look at copies where no thread on this processor's thread has made any.
thread_local bool makes_tracked_copies = false;

}  // namespace

/// Names dynamic shared memory after the array that the kernel declares; the first name of a launch stays.
void* name_dynamic_shared(const char* name) {
  device& d = device::instance();
  const std::uint64_t launch = worker::current()->launch().info.ordinal;
  if (d.dynamic_shared_named_.load(std::memory_order_acquire) != launch) {  // before any access through the pointer
    const std::lock_guard guard(d.naming_);
    if (d.dynamic_shared_named_.load(std::memory_order_relaxed) != launch && d.map.name(d.dynamic_shared_) != name)
      d.map.rename(d.dynamic_shared_, name);
    d.dynamic_shared_named_.store(launch, std::memory_order_release);
  }
  return worker::current()->dynamic_shared();
}

}  // namespace simtlab::emulator

using namespace simtlab::emulator;

#define SIMTLAB_CALLER __builtin_return_address(0)

extern "C" {

#ifdef SIMTLAB_OWN_SWITCH
struct turn_contexts {
  fiber::context *left, *entered;
};

/// The first half of `simtlab_syncthreads`: which stack to leave, and which to go on on. Nulls: none, host code called.
turn_contexts simtlab_arrive(const void* return_address) {
  worker* w = worker_or_report("__syncthreads()", return_address);
  if (w == nullptr) return {nullptr, nullptr};
  fiber::context& own = w->running().execution.own();
  return {&own, &w->arrive(site_at(return_address))};
}
#else
void simtlab_syncthreads() {
  if (worker* w = worker_or_report("__syncthreads()", SIMTLAB_CALLER)) {
    w->barrier(site_at(SIMTLAB_CALLER), false, 0);
  }
}
#endif

int simtlab_syncthreads_reduce(int predicate, int operation) {
  worker* w = worker_or_report("__syncthreads_count(), _and() or _or()", SIMTLAB_CALLER);
  return w == nullptr ? 0 : w->barrier(site_at(SIMTLAB_CALLER), predicate != 0, operation);
}

void simtlab_syncwarp(unsigned mask) {
  ask_warp("__syncwarp()", {.what = primitive::syncwarp, .mask = mask}, SIMTLAB_CALLER);
}

void simtlab_group_sync(unsigned mask) {
  ask_warp("a group's sync()", {.what = primitive::syncwarp, .of_group = true, .mask = mask}, SIMTLAB_CALLER);
}

void simtlab_named_barrier(unsigned number, unsigned threads, int waits) {
  worker* const w = worker_or_report("a named barrier", SIMTLAB_CALLER);
  if (w == nullptr) return;
  if (number >= worker::named_barriers)
    w->end_lane(rule::failed_assertion, site_at(SIMTLAB_CALLER),
                "A block has the barriers 0 to 15; this is number " + std::to_string(number) + ".",
                stop_reason::assertion);
  w->named_barrier(site_at(SIMTLAB_CALLER), number, threads, waits != 0, SIMTLAB_CALLER);
}

void simtlab_grid_sync() {
  worker* const w = worker_or_report("a grid's sync()", SIMTLAB_CALLER);
  if (w == nullptr) return;
  if (!w->launch().cooperative)
    w->end_lane(rule::failed_assertion, site_at(SIMTLAB_CALLER),
                "The grid waits for all of its blocks, but the launch is not cooperative, so that nothing keeps all "
                "blocks on the GPU at a time. Launch the kernel with cudaLaunchCooperativeKernel().",
                stop_reason::assertion);
  w->grid_barrier(site_at(SIMTLAB_CALLER), SIMTLAB_CALLER);
}

int simtlab_is_cooperative() {
  const worker* const w = worker_or_report("this_grid()", SIMTLAB_CALLER);
  return w != nullptr && const_cast<worker*>(w)->launch().cooperative ? 1 : 0;
}

uint64_t simtlab_shuffle(unsigned mask, uint64_t value, unsigned source, unsigned kind, unsigned width) {
  return ask_warp("a __shfl function",
                  {.what = primitive::shuffle,
                   .of_group = is_of_group(kind),
                   .kind = plain_kind(kind),
                   .mask = mask,
                   .value = value,
                   .source = source,
                   .width = width},
                  SIMTLAB_CALLER);
}

unsigned simtlab_vote(unsigned mask, int predicate, unsigned kind) {
  return static_cast<unsigned>(ask_warp("a vote function",
                                        {.what = primitive::vote,
                                         .of_group = is_of_group(kind),
                                         .kind = plain_kind(kind),
                                         .mask = mask,
                                         .value = predicate != 0},
                                        SIMTLAB_CALLER));
}

unsigned simtlab_match(unsigned mask, uint64_t value, unsigned kind, int* all_equal) {
  bool equal = false;
  const auto result = ask_warp(
      "a match function",
      {.what = primitive::match, .of_group = is_of_group(kind), .kind = plain_kind(kind), .mask = mask, .value = value},
      SIMTLAB_CALLER, &equal);
  if (plain_kind(kind) != simtlab_match_all || all_equal == nullptr) return static_cast<unsigned>(result);
  if (is_on_own_stack(all_equal)) {
    look_below_caller(all_equal, sizeof *all_equal, SIMTLAB_CALLED_FROM);
    look_at_store(all_equal, sizeof *all_equal);
  } else {
    log_store(all_equal, sizeof *all_equal, sizeof *all_equal, SIMTLAB_CALLED_FROM);
  }
  *all_equal = equal;
  return static_cast<unsigned>(result);
}

unsigned simtlab_reduce(unsigned mask, unsigned value, unsigned kind) {
  return static_cast<unsigned>(ask_warp("a reduce function",
                                        {.what = primitive::reduce,
                                         .of_group = is_of_group(kind),
                                         .kind = plain_kind(kind),
                                         .mask = mask,
                                         .value = value},
                                        SIMTLAB_CALLER));
}

unsigned simtlab_activemask() {
  return static_cast<unsigned>(ask_warp("__activemask()", {.what = primitive::activemask}, SIMTLAB_CALLER));
}

void simtlab_whole_warp(const char* function) {
  const auto came =
      static_cast<lane_mask>(ask_warp(function, {.what = primitive::together, .mask = full_warp}, SIMTLAB_CALLER));
  worker* const w = worker::current();
  if (came == full_warp || w == nullptr || !w->in_lane()) return;
  w->end_lane(
      rule::inactive_lane, site_at(SIMTLAB_CALLER),
      "All 32 lanes of a warp take part in " + std::string(function) + "(), and " +
          std::to_string(std::popcount(came)) +
          " came: the others have returned from the kernel, or the block's threads are no multiple of 32. What "
          "comes out is undefined on a GPU. Let whole warps call it, under a condition that is the same for all "
          "lanes.",
      stop_reason::undefined);
}

void simtlab_together(void (*work)(void* const* values), void* value) {
  ask_warp(
      "an operation on fragments",
      {.what = primitive::together, .mask = full_warp, .value = reinterpret_cast<std::uint64_t>(value), .work = work},
      SIMTLAB_CALLER);
}

void simtlab_threadfence(int scope) {
  if ((scope & simtlab_fence_of_order) != 0) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (worker* w = worker::current(); w != nullptr && w->in_lane())
      w->fence((scope & ~simtlab_fence_of_order) != simtlab_fence_block, SIMTLAB_CALLER);
    return;
  }
  if (worker* w = worker_or_report("a __threadfence function", SIMTLAB_CALLER))
    w->fence(scope != simtlab_fence_block, SIMTLAB_CALLER);
}

void simtlab_phase_arrival(const uint64_t* state, unsigned phase_bit, int in_block) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (worker* w = worker::current(); w != nullptr && w->in_lane())
    w->phase_arrival(state, __atomic_load_n(state, __ATOMIC_RELAXED) >> phase_bit, in_block != 0, SIMTLAB_CALLER);
}
void simtlab_phase_end(const uint64_t* state, uint64_t phase, int in_block) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (worker* w = worker::current(); w != nullptr && w->in_lane())
    w->phase_end(state, phase, in_block != 0, SIMTLAB_CALLER);
}

void simtlab_copy_begins(const void* to, unsigned bytes, int is_tracked) {
  if (bytes < 4) return;  // a copy that is none of the hardware's
  if (is_tracked != 0) makes_tracked_copies = true;
  log_copy(static_cast<unsigned>(is_tracked != 0 ? copy_event::begin_tracked : copy_event::begin), bytes,
           reinterpret_cast<address>(to), SIMTLAB_CALLER);
}
void simtlab_copies_committed() { log_copy(static_cast<unsigned>(copy_event::commit), 0, 0, SIMTLAB_CALLER); }
void simtlab_copies_waited(unsigned groups_left) {
  log_copy(static_cast<unsigned>(copy_event::wait), 0, groups_left, SIMTLAB_CALLER);
}
void simtlab_all_copies_waited() { log_copy(static_cast<unsigned>(copy_event::wait_for_all), 0, 0, SIMTLAB_CALLER); }
void simtlab_copies_arrive() {
  if (makes_tracked_copies) log_copy(static_cast<unsigned>(copy_event::arrive), 0, 0, SIMTLAB_CALLER);
}

void simtlab_pause() {}

uint64_t simtlab_atomic(volatile void* where, unsigned width, unsigned operation, unsigned type, uint64_t operand) {
  return update(
      where, width, true, SIMTLAB_CALLED_FROM,
      [=](auto old) { return result_of(operation, type, old, static_cast<decltype(old)>(operand)); },
      with_traits(kind_of_atomic(width_of_atomic(width), operation, type),
                  operation == simtlab_atomic_exchange ? atomic_trait::reads_nothing : 0),
      false);
}

uint64_t simtlab_atomic_used(volatile void* where, unsigned width, unsigned operation, unsigned type,
                             uint64_t operand) {
  const unsigned known = operation == simtlab_atomic_count ? unsigned{simtlab_atomic_add} : operation;
  const uint64_t old = update(
      where, width, true, SIMTLAB_CALLED_FROM,
      [=](auto before) { return result_of(known, type, before, static_cast<decltype(before)>(operand)); },
      kind_of_atomic(width_of_atomic(width), known, type), known == simtlab_atomic_exchange);
  if ((width & simtlab_atomic_acquires) == 0) return old;
  if (worker* w = worker::current(); w != nullptr && w->in_lane())
    w->fence((width & simtlab_atomic_in_block) == 0, SIMTLAB_CALLED_FROM);
  return old;
}

uint64_t simtlab_compare_and_swap(volatile void* where, unsigned width, uint64_t compare, uint64_t value) {
  if (worker* w = worker::current(); w != nullptr && w->in_lane())
    w->compare_with_probe(const_cast<const void*>(where), width_of_atomic(width), compare);
  return update(
      where, width, false, SIMTLAB_CALLED_FROM,
      [=](auto old) {
        using word = decltype(old);
        return old == static_cast<word>(compare) ? static_cast<word>(value) : old;
      },
      record_kind::swap, true);
}

uint64_t simtlab_atomic_load(const volatile void* where, unsigned width_and_traits) {
  const unsigned width = width_of_atomic(width_and_traits), traits = traits_of_atomic(width_and_traits);
  const record_kind read =
      hooks.in_kernel() ? with_traits(record_kind::atomic, traits | atomic_trait::changes_nothing) : record_kind::read;
  log_access(where, width, read, SIMTLAB_CALLED_FROM);
  attributed_site = site_at(SIMTLAB_CALLED_FROM);
  const uint64_t value =
      visit_word(where, width, [](const auto* word) -> uint64_t { return __atomic_load_n(word, __ATOMIC_SEQ_CST); });
  attributed_site = 0;
  worker* const w = worker::current();
  if (w == nullptr || !w->in_lane()) return value;
  const void* const at = const_cast<const void*>(where);
  if ((width_and_traits & simtlab_atomic_orders_nothing) == 0)
    w->synchronise(at, {.reads = true, .in_block = traits != 0}, SIMTLAB_CALLED_FROM);
  w->poll(site_at(SIMTLAB_CALLED_FROM), at, width, value);
  return value;
}

void simtlab_atomic_store(volatile void* where, unsigned width_and_traits, uint64_t value) {
  const unsigned width = width_of_atomic(width_and_traits), traits = traits_of_atomic(width_and_traits);
  const record_kind write =
      hooks.in_kernel() ? with_traits(record_kind::atomic, traits | atomic_trait::reads_nothing) : record_kind::write;
  worker* const w = worker::current();
  const void* const at = const_cast<const void*>(where);
  const bool in_lane = w != nullptr && w->in_lane();
  if (in_lane) w->store_begins(at, SIMTLAB_CALLED_FROM);
  log_access(where, width, write, SIMTLAB_CALLED_FROM);
  attributed_site = site_at(SIMTLAB_CALLED_FROM);
  visit_word(where, width, [value](auto* word) {
    __atomic_store_n(word, static_cast<std::remove_pointer_t<decltype(word)>>(value), __ATOMIC_SEQ_CST);
  });
  attributed_site = 0;
  if (!in_lane) return;
  if ((width_and_traits & simtlab_atomic_orders_nothing) == 0)
    w->synchronise(at, {.writes = true, .replaces = true, .in_block = traits != 0}, SIMTLAB_CALLED_FROM);
  w->change(site_at(SIMTLAB_CALLED_FROM), at, width);
}

void* simtlab_dynamic_shared(const char* name, unsigned) {
  worker* w = worker_or_report("a kernel with dynamic shared memory", SIMTLAB_CALLER);
  return w == nullptr ? nullptr : name_dynamic_shared(name);
}

unsigned simtlab_shared_offset(const void* at) {
  const worker* w = worker_or_report("the conversion of an address to shared memory", SIMTLAB_CALLER);
  return w == nullptr ? worker::not_shared : w->shared_offset(at);
}

void* simtlab_shared_address(unsigned offset) {
  const worker* w = worker_or_report("an access to shared memory by its offset", SIMTLAB_CALLER);
  return w == nullptr ? nullptr : w->shared_address(offset);
}

unsigned simtlab_memory_of(const void* at) {
  const worker* w = worker_or_report("the question for the memory of an address", SIMTLAB_CALLER);
  if (w == nullptr) return simtlab_in_global;
  if (w->shared_offset(at) != worker::not_shared) return simtlab_in_shared;
  if (w->is_local(at)) return simtlab_in_local;
  return w->is_constant(at) ? simtlab_in_constant : simtlab_in_global;
}

unsigned simtlab_multiprocessors() { return static_cast<unsigned>(device::instance().settings.gpu->multiprocessors); }

unsigned simtlab_multiprocessor() {
  worker* w = worker_or_report("the question for the multiprocessor", SIMTLAB_CALLER);
  return w == nullptr ? 0 : static_cast<unsigned>(w->block().index % simtlab_multiprocessors());
}

long long simtlab_clock() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}

void simtlab_assert_fail(const char* expression, const char* file, unsigned line, const char* function) {
  const std::string by = function;
  const bool is_trap = by == "__trap" || by == "__brkpt";  // an H200 answers cudaErrorLaunchFailure
  std::string what = is_trap ? "The kernel stopped itself (" + by + ")."
                             : std::string("Assertion failed: ") + expression + " (in " + by + ").";
  worker* w = worker::current();
  if (w != nullptr && w->in_lane())
    w->end_lane(rule::failed_assertion, site_at(SIMTLAB_CALLER), std::move(what),
                is_trap ? stop_reason::undefined : stop_reason::assertion);
  std::fprintf(stderr, "%s:%u: %s\n", file, line, what.c_str());
  std::abort();
}

unsigned simtlab_shift_amount(unsigned amount, unsigned width, unsigned /*line*/) {
  if (amount < width) return amount;
  if (worker* w = worker::current(); w != nullptr && w->in_lane())
    w->report_running(
        rule::shift_out_of_range, site_at(SIMTLAB_CALLER), "shifts",
        std::to_string(width) + " bits are shifted by " + std::to_string(static_cast<std::int32_t>(amount)) +
            ". C++ leaves open what comes out; a GPU takes the width for the amount, so that 0 is left, or "
            "the sign, as here; nvcc may compute another value where it knows the amount. Ask before, or "
            "mask the amount.");
  return width;
}

/// g++ calls this where the way through a function that is not void ends; nothing of the program stands behind the call.
void simtlab_missing_return(void*) {
  device& d = device::instance();
  const site where = site_at(SIMTLAB_CALLER);
  worker* w = worker::current();
  const bool in_lane = w != nullptr && w->in_lane();
  const auto what = [&] {
    const std::string name = d.sources.function_at(where);
    return "The function " + (name.empty() ? "" : "'" + name + "' ") +
           "ended without a return statement, though it returns a value. " +
           (in_lane ? "A GPU goes on with whatever code or value comes next" : "What comes next is chance") +
           ": let every way through the function return one.";
  };
  if (in_lane) w->end_lane(rule::missing_return, where, what(), stop_reason::undefined);
  {
    const emulator_call inside;
    const std::lock_guard guard(d.lock);
    d.report_host(rule::missing_return, where, "", what());
  }
  std::abort();
}

}  // extern "C"

#ifdef SIMTLAB_OWN_SWITCH
// A barrier is a lane's most frequent stop. What it leaves on its stack lies together; and it comes back by a jump, since a
// return would be predicted to go where the lane before it has called from: the barrier after this one.
__asm__(R"(
	.text
	.globl	simtlab_syncthreads
	.type	simtlab_syncthreads, @function
	.p2align 4
simtlab_syncthreads:
	.cfi_startproc
	movq	(%rsp), %rdi
	subq	$8, %rsp
	.cfi_def_cfa_offset 16
	call	simtlab_arrive
	addq	$8, %rsp
	.cfi_def_cfa_offset 8
	testq	%rax, %rax
	je	2f
	pushq	%rbp
	pushq	%rbx
	pushq	%r12
	pushq	%r13
	pushq	%r14
	pushq	%r15
	leaq	1f(%rip), %rcx
	pushq	%rcx
	.cfi_def_cfa_offset 64
	movq	%rsp, (%rax)
	movq	%rdx, %rdi
	movq	(%rdx), %rsp
	popq	%rcx
	jmp	*%rcx
1:	popq	%r15
	popq	%r14
	popq	%r13
	popq	%r12
	popq	%rbx
	popq	%rbp
	.cfi_def_cfa_offset 8
	popq	%rcx
	.cfi_def_cfa_offset 0
	jmp	*%rcx
2:	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size	simtlab_syncthreads, .-simtlab_syncthreads
)");
#endif
