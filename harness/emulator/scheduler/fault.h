// Signals that end a program become sentences.
//
// The handler itself does nothing but move the interrupted thread to a function that runs as normal code: on the lane's
// own stack when a kernel faulted (or on a rescue stack when that stack overflowed), which reports the lane and suspends
// it for good; on a rescue stack when host code faulted, which reports and ends the program.
#pragma once

#include "core/types.h"

namespace simtlab::emulator {

/// What the processor said.
struct fault {
  int signal = 0;
  address where = 0;        ///< the address accessed; 0 for other signals
  bool wild = false;        ///< the address was no canonical address, so the processor did not tell it
  bool stack_full = false;  ///< the address lies where the interrupted code's stack grows to
  bool was_closed = false;  ///< host code touched what is closed to it (core/closed_memory.h)
  bool stores = false;      ///< the access was no read, where the processor tells
  address stack_pointer = 0;
  site instruction = 0;  ///< a site just behind the faulting instruction
};

/// Installs the handlers, once per process. `host_fault` is called on a rescue stack when host code faulted and must not
/// return; `arena` tells device addresses from others.
void install_fault_handlers(void (*host_fault)(const fault&), address arena_begin, address arena_end);

/// What became of an access of host code to memory that is closed to it.
enum class touch {
  foreign,    ///< no such memory: the access is a fault
  let_go_on,  ///< the memory is open by now
  let_step,   ///< it is open for this one instruction: afterwards `end` is called
};
/// Who is asked about host code's faults first, in the signal's handler: nothing may be allocated there.
struct touch_handler {
  touch (*begin)(const fault&, address instruction, address stack_pointer) = nullptr;
  void (*end)() = nullptr;
  /// Whether an instruction is the emulator's or its embedder's, none of the program's or a library's.
  bool (*is_own_code)(address instruction) = nullptr;
  /// Asked while memory is closed: whether the instruction makes a frame's record there, which is possible now.
  bool (*opens_records)(address where, address instruction) = nullptr;
};
void ask_about_touches(touch_handler);

/// For a signal's handler that interrupted host code: it goes on at `function`, on a stack of its own, as if called there.
void go_on_in_host_code(void (*function)(), void* context);
/// The same for one that interrupted a lane's own code, on the lane's stack. Returns a site at the interrupted instruction.
site go_on_in_lane(void (*function)(), void* context);

/// In a signal's handler: ends the process where memory is closed and no signal has called it.
void look_at_handlers_frame(const void* frame);

/// Gives the calling thread a signal stack; call once per thread that runs kernels or host code.
void prepare_thread_for_faults();

}  // namespace simtlab::emulator
