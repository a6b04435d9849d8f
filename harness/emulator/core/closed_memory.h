// Memory of the emulator and its embedder that is protected, by pages, while host code of the program runs.
//
// The program's own accesses are looked at before they happen. Code of a library has no hooks and follows the pointers in what the
// program hands it: a forged std::string, a std::vector with an end of its own making, a stream. What such code must not change
// is therefore closed by the processor: private memory (private_memory.h), the variables of emulator and embedder, the stack
// above the program's first frame. It is opened where control comes into the emulator, and closed where it goes back.
//
// Private memory cannot be read either: what kernels load and store leaves its trace there. Variables and stack can be, so what
// hooks of host code ask lies among the variables. Code of the emulator or its embedder that reads private memory all the same is
// let go on, one instruction at a time.
//
// Few large stretches, so that a change takes microseconds. One thread runs host code; threads that the emulator starts run while
// memory is open.
#pragma once

#include <array>

#include "core/private_memory.h"

namespace simtlab::emulator {

/// From now on memory may be closed: private memory, and the whole pages of at most twelve stretches. It is open still.
/// Functions that open it have to be called from `code`, the emulator's and its embedder's; all empty: from anywhere.
void prepare_to_close(const address_range* stretches, unsigned count, const std::array<address_range, 2>& code = {});
/// Ends the process where memory is closed and what returns to `return_address` was not called from that code: the program or a
/// library's code has called it, through a pointer that the program forged. Functions that ask for their return address must not
/// be inlined: it would be their caller's.
void look_at_opener(const void* return_address);
/// From now on it stays open. Not for anybody while memory is closed.
void stop_closing();
[[nodiscard]] bool may_be_closed();

extern bool memory_is_closed;
[[nodiscard]] inline bool is_memory_closed() { return memory_is_closed; }
/// Whether the address lies in what is closed, or would be.
[[nodiscard]] bool is_closable(address);

[[nodiscard]] bool touches_closable(address begin, std::uint64_t bytes);

/// The stack that closes along with the rest: whole pages. Nothing: none does.
void close_stack_too(address_range);

/// Both do nothing where memory may not be closed. `open_memory` tells whether it was closed; it may be called in a signal's
/// handler, and ends the process when the system refuses.
void close_memory();
bool open_memory();

/// In a signal's handler that has opened memory: when it is closed again, the address can be read until `end_reading`. False if it
/// could be read before, or if there is no room to remember one more page.
bool let_read_once(address);
void end_reading();

}  // namespace simtlab::emulator
