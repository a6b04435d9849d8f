// The last of the program's own objects on the linker's command line: what lies before it in a section is the program's,
// what lies behind it is not. An embedder that guards its memory (emulator.h) links it between the two.
#include "runtime/boundary.h"

namespace {

// One object in each section that variables of a program may be in.
// Whole pages, so that what lies behind can be closed by pages (core/closed_memory.h).
alignas(4096) [[gnu::used]] char end_of_data[4096] = {1};
alignas(4096) [[gnu::used]] char end_of_zeroed[4096];
[[gnu::used]] __thread char end_of_thread_data[16] = {1};
[[gnu::used]] __thread char end_of_thread_zeroed[16];

// Behind the program's own initialisers, and before all others of no special priority: those are not the program's.
[[gnu::constructor]] void initialisers_end() {
  if (simtlab_initialisers_end != nullptr) simtlab_initialisers_end();
  asm volatile("");  // called from here, not from who called this
}

}  // namespace

extern "C" simtlab_boundary simtlab_find_boundary() {
  return {end_of_data, end_of_zeroed, end_of_thread_data, end_of_thread_zeroed};
}
