// What a function of the program calls at its begin and in front of each return (translator/frame_checks.h), with the stack
// pointer at its return address. The begin writes a record: return address, the six registers that belong to the caller, and
// where in the code the begin was called. In front of a return the address and the registers are compared with the record; where
// one differs, the function goes no further. No register changes.
//
// A return address behind the executable's code leads to a library, which has called the function back (library_frames.h).
//
// Outside of the stacks that have records lie frames of host code that nobody guards against, and those of a stack pointer that has
// left its stack. The first function that the embedder or the emulator calls finds no records, too: its frame becomes the
// outermost of the program's. A frame that begins above the outermost takes its place: that one has ended.
#include <string>

#include "runtime/device.h"
#include "runtime/emulator_call.h"
#include "runtime/outermost_frame.h"
#include "trace/hook_state.h"
#include "trace/text_base.h"

namespace simtlab::emulator {

void refuse_frame(const char* message, const void* return_address) {
  if (worker::current() != nullptr && worker::current()->in_lane())
    return refuse_call(std::string("The kernel ") + message, return_address);
  const emulator_call inside;
  device& d = device::instance();
  if (!d.host_memory.is_guarded()) return;
  const std::lock_guard guard(d.lock);
  d.refuse_host_call(std::string("Host code ") + message, site_at(return_address));
}

outermost_frame::outermost_frame() : before_(device::instance().host_memory.outermost()) { await(); }

outermost_frame::~outermost_frame() {
  await();
  if (before_ != 0) begins_at(before_);
}

void outermost_frame::await() {
  const emulator_call inside;
  host_stack.bytes = 0;
  hooks.stack = host_stack;
}

void outermost_frame::begins_at(address place) {
  const emulator_call inside;
  device::instance().host_memory.set_outermost(place);
  host_stack.bytes = place - host_stack.begin + 1;
  hooks.stack = host_stack;
}

}  // namespace simtlab::emulator

extern "C" {

void simtlab_frame_changed(const void* return_address) {
  simtlab::emulator::refuse_frame(
      "has stored to where this function's frame keeps its return address or its caller's registers. Which pointer to "
      "a "
      "local variable is it, and does an index leave its array?",
      return_address);
  __builtin_trap();  // nobody is to be returned to
}

/// For a frame whose return address lies at `place`, where no records are. The caller tries again.
void simtlab_frame_outside(const void* return_address, simtlab::emulator::address place) {
  using namespace simtlab::emulator;
  const bool is_host = hooks.stack.records == host_stack.records && host_stack.records != 0;
  if (is_host && place >= host_stack.begin && place < device::instance().host_memory.whole_stack().end)
    return outermost_frame::begins_at(place);
  refuse_frame("runs with its stack pointer outside of its stack. Is a local array too large, or its length negative?",
               return_address);
  hooks.stack = {};
}

/// For a function that lets its stack grow to `to`, or shrink to there, but not above `most`.
void simtlab_look_at_stack(const void* return_address, simtlab::emulator::address to, simtlab::emulator::address most) {
  using namespace simtlab::emulator;
  worker* const w = worker::current();
  const bool in_lane = w != nullptr && w->in_lane();
  const address begin = in_lane ? reinterpret_cast<address>(w->running().execution.stack_bottom()) : host_stack.begin;
  if (to >= begin && to <= most) return;
  if (in_lane)
    w->end_lane(rule::stack_overflow, site_at(return_address), worker::full_stack_text(), stop_reason::stack);
  const emulator_call inside;
  device& d = device::instance();
  if (d.host_memory.is_guarded()) d.refuse_host_stack(site_at(return_address));
}

}  // extern "C"

#ifdef __x86_64__
static_assert(offsetof(simtlab::emulator::hook_state, stack) == 72);

// %r11: the place of the function's return address, then its record. Behind `2:` the stack holds %r11, where the call returns to,
// and the function's return address.
#define SIMTLAB_FIND_RECORD                                                                         \
  "\tpushq\t%r11\n\t.cfi_adjust_cfa_offset 8\n\tleaq\t16(%rsp), %r11\n"                             \
  "\tsubq\t%fs:simtlab_hooks@tpoff+72, %r11\n\tcmpq\t%fs:simtlab_hooks@tpoff+80, %r11\n\tjae\t2f\n" \
  "\tshlq\t$2, %r11\n\taddq\t%fs:simtlab_hooks@tpoff+88, %r11\n"
// Where the begin or end was called, and the place of its function's return address: arguments of what is called here.
#define SIMTLAB_FRAME "\tmovq\t80(%rbp), %rdi\n\tleaq\t88(%rbp), %rsi\n"
// Calls `function` with all registers kept that a function's arguments or result may lie in.
#define SIMTLAB_CALL_KEEPING(arguments, function)                                                                 \
  "\tpushq\t%rax\n\tpushq\t%rdi\n\tpushq\t%rsi\n\tpushq\t%rdx\n\tpushq\t%rcx\n\tpushq\t%r8\n\tpushq\t%r9\n"       \
  "\tpushq\t%r10\n\tpushq\t%rbp\n\tmovq\t%rsp, %rbp\n\tsubq\t$128, %rsp\n\tandq\t$-16, %rsp\n"                    \
  "\tmovaps\t%xmm0, (%rsp)\n\tmovaps\t%xmm1, 16(%rsp)\n\tmovaps\t%xmm2, 32(%rsp)\n\tmovaps\t%xmm3, 48(%rsp)\n"    \
  "\tmovaps\t%xmm4, 64(%rsp)\n\tmovaps\t%xmm5, 80(%rsp)\n\tmovaps\t%xmm6, 96(%rsp)\n\tmovaps\t%xmm7, "            \
  "112(%rsp)\n" arguments "\tcall\t" function                                                                     \
  "\n\tmovaps\t(%rsp), %xmm0\n\tmovaps\t16(%rsp), %xmm1\n\tmovaps\t32(%rsp), %xmm2\n\tmovaps\t48(%rsp), %xmm3\n"  \
  "\tmovaps\t64(%rsp), %xmm4\n\tmovaps\t80(%rsp), %xmm5\n\tmovaps\t96(%rsp), %xmm6\n\tmovaps\t112(%rsp), %xmm7\n" \
  "\tmovq\t%rbp, %rsp\n\tpopq\t%rbp\n\tpopq\t%r10\n\tpopq\t%r9\n\tpopq\t%r8\n\tpopq\t%rcx\n\tpopq\t%rdx\n"        \
  "\tpopq\t%rsi\n\tpopq\t%rdi\n\tpopq\t%rax\n"

__asm__("\t.text\n\t.globl\tsimtlab_frame_begin\n\t.type\tsimtlab_frame_begin, @function\nsimtlab_frame_begin:\n"
        "\t.cfi_startproc\n" SIMTLAB_FIND_RECORD
        "\tpushq\t16(%rsp)\n\tpopq\t(%r11)\n\tmovq\t%rbx, 8(%r11)\n\tmovq\t%rbp, 16(%r11)\n\tmovq\t%r12, 24(%r11)\n"
        "\tmovq\t%r13, 32(%r11)\n\tmovq\t%r14, 40(%r11)\n\tmovq\t%r15, 48(%r11)\n"
        "\tpushq\t8(%rsp)\n\tpopq\t56(%r11)\n\tcmpq\t$etext, 16(%rsp)\n\tja\t4f\n"
        "1:\tpopq\t%r11\n\t.cfi_adjust_cfa_offset -8\n\tret\n"
        "2:\t.cfi_adjust_cfa_offset 8\n\tcmpq\t$0, %fs:simtlab_hooks@tpoff+88\n\tje\t1b\n" SIMTLAB_CALL_KEEPING(
            SIMTLAB_FRAME, "simtlab_frame_outside")
        "\tpopq\t%r11\n\tjmp\tsimtlab_frame_begin\n4:" SIMTLAB_CALL_KEEPING(SIMTLAB_FRAME, "simtlab_frame_called_back")
        "\tpopq\t%r11\n\t.cfi_adjust_cfa_offset -8\n\tret\n"
        "\t.cfi_endproc\n\t.size\tsimtlab_frame_begin, .-simtlab_frame_begin\n"
        "\t.globl\tsimtlab_frame_end\n\t.type\tsimtlab_frame_end, @function\nsimtlab_frame_end:\n"
        "\t.cfi_startproc\n" SIMTLAB_FIND_RECORD
        "\tcmpq\t%rbx, 8(%r11)\n\tjne\t3f\n\tcmpq\t%rbp, 16(%r11)\n\tjne\t3f\n\tcmpq\t%r12, 24(%r11)\n\tjne\t3f\n"
        "\tcmpq\t%r13, 32(%r11)\n\tjne\t3f\n\tcmpq\t%r14, 40(%r11)\n\tjne\t3f\n\tcmpq\t%r15, 48(%r11)\n\tjne\t3f\n"
        "\tpushq\t(%r11)\n\tpopq\t%r11\n\tcmpq\t16(%rsp), %r11\n\tjne\t3f\n\tcmpq\t$etext, %r11\n\tja\t4f\n"
        "1:\tpopq\t%r11\n\t.cfi_adjust_cfa_offset -8\n\tret\n"
        "2:\t.cfi_adjust_cfa_offset 8\n\tcmpq\t$0, %fs:simtlab_hooks@tpoff+88\n\tje\t1b\n" SIMTLAB_CALL_KEEPING(
            SIMTLAB_FRAME, "simtlab_frame_outside")
        "\tpopq\t%r11\n\tjmp\tsimtlab_frame_end\n4:" SIMTLAB_CALL_KEEPING(
            SIMTLAB_FRAME, "simtlab_frame_goes_back")
        "\tpopq\t%r11\n\t.cfi_adjust_cfa_offset -8\n\tret\n\t.cfi_adjust_cfa_offset 8\n"
        // The caller's %rbp is the program's value: nobody who walks along frames is to follow it.
        "3:\tmovq\t8(%rsp), %rdi\n\txorl\t%ebp, %ebp\n\tandq\t$-16, %rsp\n\tcall\tsimtlab_frame_changed\n"
        "\t.cfi_endproc\n\t.size\tsimtlab_frame_end, .-simtlab_frame_end\n"
        "\t.globl\tsimtlab_stack_to\n\t.type\tsimtlab_stack_to, @function\nsimtlab_stack_to:\n"
        "\t.cfi_startproc\n\tpushq\t%r11\n\tpushfq\n\t.cfi_adjust_cfa_offset 16\n"
        "\tcmpq\t$0, %fs:simtlab_hooks@tpoff+88\n\tje\t1f\n" SIMTLAB_CALL_KEEPING(
            "\tmovq\t88(%rbp), %rdi\n\tmovq\t56(%rbp), %rsi\n\tmovq\t48(%rbp), %rdx\n", "simtlab_look_at_stack")
        "1:\tpopfq\n\tpopq\t%r11\n\t.cfi_adjust_cfa_offset -16\n\tret\n"
        "\t.cfi_endproc\n\t.size\tsimtlab_stack_to, .-simtlab_stack_to\n");
#endif
