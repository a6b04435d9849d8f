// The last of the program's own objects on the linker's command line: what lies before it in a section is the program's,
// what lies behind it is not. An embedder that guards its memory (emulator.h) links it between the two.
#include "runtime/boundary.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>

namespace {

// One object in each section that variables of a program may be in.
// Whole pages, so that what lies behind can be closed by pages (core/closed_memory.h).
alignas(4096) [[gnu::used]] char end_of_data[4096] = {1};
alignas(4096) [[gnu::used]] char end_of_zeroed[4096];
[[gnu::used]] __thread char end_of_thread_data[16] = {1};
[[gnu::used]] __thread char end_of_thread_zeroed[16];

// Behind the program's own initialisers, and before all others of no special priority: those are not the program's.
[[gnu::constructor, gnu::section(".text"), gnu::noinline]] void initialisers_end() {
  if (simtlab_initialisers_end != nullptr) simtlab_initialisers_end();
  asm volatile("");  // called from here, not from who called this
}

// One function in each section that code of a program may be in, beside those above.
[[gnu::section(".text.unlikely"), gnu::used, gnu::noinline]] void unlikely_ends() { asm volatile(""); }
[[gnu::section(".text.startup"), gnu::used, gnu::noinline]] void startup_ends() { asm volatile(""); }

std::uintptr_t at(void (*function)()) { return reinterpret_cast<std::uintptr_t>(function); }

}  // namespace

extern "C" simtlab_boundaries_of_code simtlab_find_boundaries_of_code() {
  const std::uintptr_t here = reinterpret_cast<std::uintptr_t>(&simtlab_find_boundaries_of_code);
  return {at(&unlikely_ends), at(&startup_ends), std::min(here, at(&initialisers_end))};
}

extern "C" simtlab_boundary simtlab_find_boundary() {
  return {end_of_data, end_of_zeroed, end_of_thread_data, end_of_thread_zeroed};
}

// What unwinds for an exception, in place of the compiler's library, which then does the work: its callers are the program's code
// and the C++ library's. Sanitizers have functions of these names, too.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
extern "C" void* simtlab_begin_unwinding(std::uintptr_t place, const char* name) {
  if (simtlab_look_at_unwinding != nullptr) simtlab_look_at_unwinding(place);
  void* const there = dlsym(RTLD_NEXT, name);
  if (there == nullptr) std::abort();
  return there;
}

#define SIMTLAB_UNWINDING(name)                                                                              \
  asm(".pushsection .text\n.globl " name "\n.type " name ", @function\n" name                                \
      ":\n\t.cfi_startproc\n"                                                                                \
      "\tpushq\t%rdi\n\t.cfi_adjust_cfa_offset 8\n\tpushq\t%rsi\n\t.cfi_adjust_cfa_offset 8\n"               \
      "\tsubq\t$8, %rsp\n\t.cfi_adjust_cfa_offset 8\n\tleaq\t24(%rsp), %rdi\n\tleaq\t1f(%rip), %rsi\n"       \
      "\tcall\tsimtlab_begin_unwinding\n\taddq\t$8, %rsp\n\t.cfi_adjust_cfa_offset -8\n"                     \
      "\tpopq\t%rsi\n\t.cfi_adjust_cfa_offset -8\n\tpopq\t%rdi\n\t.cfi_adjust_cfa_offset -8\n\tjmp\t*%rax\n" \
      "\t.cfi_endproc\n\t.size\t" name ", .-" name "\n1:\t.string\t\"" name "\"\n.popsection\n")

SIMTLAB_UNWINDING("_Unwind_RaiseException");
SIMTLAB_UNWINDING("_Unwind_Resume");
SIMTLAB_UNWINDING("_Unwind_Resume_or_Rethrow");
#endif
