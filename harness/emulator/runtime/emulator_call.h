// The way into the emulator for host code of the program: a call of the runtime API, or a hook that has something to note.
#pragma once

#include "core/private_memory.h"

namespace simtlab::emulator {

/// Memory was opened because control came from code of the program: nothing is taken from the variables of the thread, which a
/// library's code can write to; they are made anew. What was noted while memory was closed is told.
void enter_from_program();

/// While it exists the emulator's memory is open and what this thread allocates is private. Calls that the
/// emulator makes of itself change nothing.
class emulator_call {
 public:
  [[gnu::noinline]] emulator_call();  // here, or g++ inlines it: its return address is to be the emulator's
  ~emulator_call();
  emulator_call(const emulator_call&) = delete;  // it restores
  emulator_call& operator=(const emulator_call&) = delete;

  /// Whether code of the program called: certain where memory was closed.
  [[nodiscard]] static bool program_calls();

 private:
  bool closes_;
  private_allocation own_;
};

}  // namespace simtlab::emulator
