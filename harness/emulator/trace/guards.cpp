// What a guard calls (translator/guards.h): an access for which no hook stands directly before it in the code. If the lane's log
// holds it all the same, or if it is of memory that needs no hook, nothing happens; otherwise this is its hook.
#include "trace/added_access.h"
#include "trace/constant_memory.h"
#include "trace/hook_state.h"
#include "trace/parameters.h"
#include "trace/vector_registers.h"
#include "trace/warp_log.h"

extern "C" {

void simtlab_log_added(simtlab::emulator::address at, std::uint32_t code, const void* return_address, bool is_write);

/// Whether there is nothing to make up for.
SIMTLAB_GENERAL_REGISTERS bool simtlab_is_vouched(simtlab::emulator::address at, std::uint32_t code, bool is_write) {
  using namespace simtlab::emulator;
  if (!hooks.in_kernel()) return false;
  const added_access what = added_access::from(code);
  if (!is_write && the_parameters.contains(reinterpret_cast<const void*>(at), what.bytes)) return true;
  if (what.thread_local_) at += reinterpret_cast<address>(__builtin_thread_pointer());
  return hooks.last_volatile.holds(at, what.bytes, is_write) || current_log->holds(at, what.bytes, is_write);
}

void simtlab_log_guarded(simtlab::emulator::address at, std::uint32_t code, const void* return_address, bool is_write) {
  using namespace simtlab::emulator;
  const added_access what = added_access::from(code);
  if (hooks.in_kernel() && !is_write && !what.thread_local_ && is_constant(at, what.bytes)) return;
  makes_up = true;
  simtlab_log_added(at, code, return_address, is_write);
  makes_up = false;
}

}  // extern "C"

// The address in %rdi; on the stack its code, and above it, for what begins in the function's frame, how many places there are
// from the stack pointer on where it may. No register and no flag changes.
#ifdef __x86_64__
#define SIMTLAB_SAVED                                                                                                 \
  "\tpushq\t%rcx\n\tpushq\t%rdx\n\tpushq\t%rsi\n\tpushq\t%rdi\n\tpushq\t%r8\n\tpushq\t%r9\n\tpushq\t%r10\n\tpushq\t%" \
  "r11\n"
#define SIMTLAB_RESTORED \
  "\tpopq\t%r11\n\tpopq\t%r10\n\tpopq\t%r9\n\tpopq\t%r8\n\tpopq\t%rdi\n\tpopq\t%rsi\n\tpopq\t%rdx\n\tpopq\t%rcx\n"
// What `lahf` and `seto` have kept: a tenth of the time that `popfq` takes, which a local array's every element would wait for.
#define SIMTLAB_FLAGS_RESTORED "\tpopq\t%rax\n\taddb\t$127, %al\n\tsahf\n\tpopq\t%rax\n"
#define SIMTLAB_GUARD(kind, is_write)                                                                                  \
  __asm__("\t.text\n\t.globl\tsimtlab_local_" kind "\n\t.type\tsimtlab_local_" kind ", @function\nsimtlab_local_" kind \
          ":\n\tpushq\t%rax\n\tlahf\n\tseto\t%al\n\tpushq\t%rax\n"                                                     \
          "\tleaq\t48(%rsp), %rax\n\tsubq\t%rdi, %rax\n\tnegq\t%rax\n\tcmpq\t32(%rsp), "                               \
          "%rax\n\tjae\t1f\n" SIMTLAB_FLAGS_RESTORED "\tret\n1:\n" SIMTLAB_FLAGS_RESTORED "\tjmp\tsimtlab_guard_" kind \
          "\n"                                                                                                         \
          "\t.globl\tsimtlab_guard_" kind "\n\t.type\tsimtlab_guard_" kind ", @function\nsimtlab_guard_" kind          \
          ":\n\tpushfq\n\tpushq\t%rax\n\tcld\n" SIMTLAB_SAVED                                                          \
          "\tpushq\t%rbp\n\tmovq\t%rsp, %rbp\n\tandq\t$-16, %rsp\n"                                                    \
          "\tmovl\t96(%rbp), %esi\n\tmovl\t$" #is_write                                                                \
          ", %edx\n\tcall\tsimtlab_is_vouched\n\ttestb\t%al, %al\n\tjne\t3f\n"                                         \
          "\tsubq\t$256, %rsp\n" SIMTLAB_VECTORS_SAVED                                                                 \
          "\tmovq\t40(%rbp), %rdi\n\tmovl\t96(%rbp), %esi\n\tmovq\t88(%rbp), %rdx\n"                                   \
          "\tmovl\t$" #is_write ", %ecx\n\tcall\tsimtlab_log_guarded\n" SIMTLAB_VECTORS_RESTORED                       \
          "3:\tmovq\t%rbp, %rsp\n\tpopq\t%rbp\n" SIMTLAB_RESTORED                                                      \
          "\tpopq\t%rax\n\tpopfq\n\tret\n"                                                                             \
          "\t.size\tsimtlab_guard_" kind ", .-simtlab_guard_" kind "\n\t.size\tsimtlab_local_" kind                    \
          ", .-simtlab_local_" kind "\n")
SIMTLAB_GUARD("read", 0);
SIMTLAB_GUARD("write", 1);
#endif
