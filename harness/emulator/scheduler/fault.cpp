#include "scheduler/fault.h"

#include <csignal>
#include <cstdlib>
#include <new>
#include <string>

#include <sys/mman.h>
#include <sys/ucontext.h>
#include <ucontext.h>

#include "core/closed_memory.h"
#include "core/memory_calls.h"
#include "core/private_memory.h"
#include "scheduler/integer_division.h"
#include "scheduler/worker.h"
#include "trace/hook_state.h"
#include "trace/text_base.h"

namespace simtlab::emulator {
namespace {

constexpr std::size_t signal_stack_bytes = 64 * 1024;  // whole pages
constexpr std::size_t rescue_bytes = 256 * 1024;

__thread fault last_fault;
void (*on_host_fault)(const fault&);
touch_handler touches;
__thread bool steps;  // one instruction of host code, then the processor traps
address arena_begin_address, arena_end_address;
alignas(64) char host_rescue_stack[rescue_bytes];
address_range hosts_signal_stack;  // of the first thread, which runs host code

/// A thread's signal stack, in memory that stays open. What was there before comes back when the thread ends: a sanitizer frees
/// its own.
class signal_stack {
 public:
  signal_stack() : memory_(map_privately(signal_stack_bytes, false)) {
    if (!protect(memory_, signal_stack_bytes, PROT_READ | PROT_WRITE)) throw std::bad_alloc();
    stack_t own{};
    const auto begin = reinterpret_cast<address>(memory_);
    if (hosts_signal_stack.end == 0) hosts_signal_stack = {begin, begin + signal_stack_bytes};
    own.ss_sp = memory_;
    own.ss_size = signal_stack_bytes;
    sigaltstack(&own, &before_);
  }
  ~signal_stack() {
    sigaltstack(&before_, nullptr);
    unmap_privately(memory_, signal_stack_bytes);
  }
  signal_stack(const signal_stack&) = delete;  // one per thread
  signal_stack& operator=(const signal_stack&) = delete;

 private:
  void* memory_;
  stack_t before_{};
};

std::string hexadecimal(address a) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (; a != 0; a >>= 4) text.insert(text.begin(), digits[a & 15]);
  return "0x" + (text.empty() ? "0" : text);
}

void report_lane_fault(worker& w, const fault& f) {
  switch (f.signal) {
    case SIGFPE:
      return w.report_stop(rule::failed_assertion, f.instruction,
                           "The processor stopped a computation with numbers (SIGFPE). On a GPU none stops.",
                           stop_reason::assertion);
    case SIGILL:
    case SIGTRAP:
      return w.report_stop(rule::failed_assertion, f.instruction, "The kernel stopped itself (__trap).",
                           stop_reason::assertion);
    case SIGABRT:
      return w.report_stop(rule::failed_assertion, f.instruction,
                           "The kernel called abort(), by an assertion for example.", stop_reason::assertion);
    default:
      break;
  }
  if (w.is_stack_guard(f.where)) {
    // The stack may have become full in a hook, whose instruction has no line of the student's.
    const site last = w.last_site();
    return w.report_stop(rule::stack_overflow, last != 0 ? last : f.instruction, worker::full_stack_text(),
                         stop_reason::stack);
  }
  std::string what = f.wild              ? "an address that no pointer can hold"
                     : f.where < 0x10000 ? "address " + hexadecimal(f.where) + ", a null pointer"
                                         : "address " + hexadecimal(f.where) + ", where no memory is";
  if (f.where >= arena_begin_address && f.where < arena_end_address)
    what = "address " + hexadecimal(f.where) + ", device memory far from every allocation";
  w.note_fault(f.wild ? launch_info::wild_fault : f.where);
  w.report_stop(rule::invalid_address, f.instruction,
                "The kernel accesses " + what +
                    "; a GPU stops it with \"an illegal memory access was encountered\". "
                    "Check the pointer passed to the kernel and the index computed at this line.",
                stop_reason::illegal_address);
}

[[noreturn]] void lane_fault() {
  worker& w = *worker::current();
  report_lane_fault(w, last_fault);
  w.forget_beyond(last_fault.instruction - 1);
  attributed_site = 0;
  w.abandon_lane();
}

[[noreturn]] void host_fault() {
  on_host_fault(last_fault);
  std::_Exit(70);
}

/// Where the interrupted code stood, and how to have it go on elsewhere.
class interrupted {
 public:
  explicit interrupted(void* context) : registers_(static_cast<ucontext_t*>(context)->uc_mcontext) {}
#ifdef __x86_64__
  [[nodiscard]] std::uint64_t instruction() const { return static_cast<std::uint64_t>(registers_.gregs[REG_RIP]); }
  [[nodiscard]] std::uint64_t stack_pointer() const { return static_cast<std::uint64_t>(registers_.gregs[REG_RSP]); }
  /// After each instruction the processor traps.
  static constexpr bool can_step = true;
  [[nodiscard]] bool stores() const { return (registers_.gregs[REG_ERR] & 2) != 0; }
  void step_by_step(bool on) {
    constexpr greg_t trap_flag = 0x100;
    registers_.gregs[REG_EFL] = on ? registers_.gregs[REG_EFL] | trap_flag : registers_.gregs[REG_EFL] & ~trap_flag;
  }
  /// As if called, without a way back.
  void go_on_at(void (*function)(), std::uint64_t stack_top) {
    registers_.gregs[REG_RSP] = static_cast<greg_t>((stack_top & ~std::uint64_t{15}) - 8);  // 16-byte aligned less 8
    registers_.gregs[REG_RIP] = static_cast<greg_t>(reinterpret_cast<std::uint64_t>(function));
  }
#else  // AArch64
  [[nodiscard]] std::uint64_t instruction() const { return registers_.pc; }
  [[nodiscard]] std::uint64_t stack_pointer() const { return registers_.sp; }
  static constexpr bool can_step = false;
  [[nodiscard]] bool stores() const { return false; }
  void step_by_step(bool) {}
  void go_on_at(void (*function)(), std::uint64_t stack_top) {
    registers_.sp = stack_top & ~std::uint64_t{15};
    registers_.pc = reinterpret_cast<std::uint64_t>(function);
  }
#endif

 private:
  mcontext_t& registers_;
};

/// A division that traps here and on no GPU: the lane goes on. That a lane divides is no secret moment of the emulator's, so
/// that the handler may report at once.
bool go_on_behind_division(worker& w, site where, void* context) {
  switch (step_over_division(*static_cast<ucontext_t*>(context))) {
    case trapped_division::by_zero:
      w.report_running(
          rule::division_by_zero, where, "divides",
          "An integer is divided by zero. A GPU does not stop here: it goes on with a value that means "
          "nothing (here all bits are set). Let no lane get here with a divisor of 0, also beyond the edge "
          "of the data.");
      return true;
    case trapped_division::overflow:
      w.report_running(rule::division_by_zero, where, "divides",
                       "The smallest integer is divided by -1, and the quotient has no place in its type. A GPU does "
                       "not stop here: it goes on with a value that means nothing.");
      return true;
    case trapped_division::none:
      break;
  }
  return false;
}

/// An access of host code to memory that is closed to it, or the trap behind the instruction that made one.
bool go_on_behind_touch(const fault& f, interrupted& code) {
  if (f.signal == SIGTRAP && steps) {
    steps = false;
    code.step_by_step(false);
    touches.end();
    end_reading();
    return true;
  }
  if (f.signal != SIGSEGV || f.wild || touches.begin == nullptr) return false;
  const touch answer = touches.begin(f, code.instruction(), code.stack_pointer());
  if (answer == touch::foreign) {
    const bool is_ours = f.was_closed && !f.stores && touches.is_own_code(code.instruction());
    if (!is_ours || !let_read_once(f.where)) return false;
    steps = true;
    code.step_by_step(true);
    return true;
  }
  if (answer == touch::let_step && interrupted::can_step) {
    steps = true;
    code.step_by_step(true);
  }
  return true;
}

void handle(int signal, siginfo_t* information, void* context) {
  interrupted code(context);
  fault f;
  f.signal = signal;
  if (signal == SIGSEGV || signal == SIGBUS) {
    f.where = reinterpret_cast<address>(information->si_addr);
    f.wild = information->si_code == SI_KERNEL;
    f.stores = code.stores();
  }
  f.instruction = static_cast<site>(code.instruction() - text_base + 1);
  const std::uint64_t stack_pointer = code.stack_pointer();
  f.stack_full = signal == SIGSEGV && !f.wild && f.where + 64 * 1024 > stack_pointer && f.where < stack_pointer + 4096;
  if (attributed_site != 0) f.instruction = attributed_site;
  f.stack_pointer = stack_pointer;
  // Where memory was closed, host code runs, whatever the thread's variables say.
  look_at_handlers_frame(__builtin_frame_address(0));
  if (signal == SIGSEGV && touches.opens_records != nullptr && touches.opens_records(f.where, code.instruction()))
    return;
  const bool was_closed = open_memory();
  if (was_closed) worker::leave_thread();
  f.was_closed = was_closed && signal == SIGSEGV && is_closable(f.where);
  worker* w = worker::current();
  const bool in_lane = w != nullptr && w->in_lane();
  if (w != nullptr && signal == SIGSEGV && !f.wild && w->opens_stack(f.where)) return;
  if (!in_lane && go_on_behind_touch(f, code)) {
    if (was_closed) close_memory();
    return;
  }
  last_fault = f;
  if (signal == SIGFPE && in_lane && go_on_behind_division(*w, f.instruction, context)) return;
  std::uint64_t stack = stack_pointer - 512;  // beyond the red zone of the interrupted code
  if (in_lane && w->is_stack_guard(f.where)) stack = reinterpret_cast<std::uint64_t>(w->rescue_stack_top());
  if (!in_lane) stack = reinterpret_cast<std::uint64_t>(host_rescue_stack + rescue_bytes);
  code.go_on_at(in_lane ? &lane_fault : &host_fault, stack);
}

}  // namespace

void go_on_in_host_code(void (*function)(), void* context) {
  interrupted(context).go_on_at(function, reinterpret_cast<std::uint64_t>(host_rescue_stack + rescue_bytes));
}

site go_on_in_lane(void (*function)(), void* context) {
  interrupted code(context);
  const auto where = static_cast<site>(code.instruction() - text_base + 1);
  code.go_on_at(function, code.stack_pointer() - 512);  // beyond the red zone of the interrupted code
  return where;
}

void look_at_handlers_frame(const void* frame) {
  if (is_memory_closed() && !hosts_signal_stack.contains(reinterpret_cast<address>(frame))) std::_Exit(70);
}

void ask_about_touches(touch_handler asked) { touches = asked; }

void install_fault_handlers(void (*handler)(const fault&), address arena_begin, address arena_end) {
  on_host_fault = handler;
  arena_begin_address = arena_begin;
  arena_end_address = arena_end;
  struct sigaction action {};
  action.sa_sigaction = &handle;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT}) sigaction(signal, &action, nullptr);
  prepare_thread_for_faults();
}

void prepare_thread_for_faults() { static thread_local const signal_stack own; }

}  // namespace simtlab::emulator
