// No function returns to another place than it was called from, or leaves its caller's registers changed.
//
// A store through a pointer may reach the function's own frame, where the return address and the caller's registers lie. So
// each function that makes such a store, or calls anything but hooks, begins with a call of `simtlab_frame_begin`, which
// writes both down in memory of the emulator's, and in front of each return, and of each jump to another function, stands a call
// of `simtlab_frame_end`, which compares (runtime/frame_checks.cpp). Both change no register.
//
// A frame that is aligned beyond what calls do and has arguments below it keeps the way back in a register, and that in the
// frame, where a store may reach it. So the register has a record of its own, made where it is fresh, and is taken from what was
// compared with the record where the stack pointer goes back by it.
//
// In front of each instruction that moves the stack pointer by a number that is not known (an array of variable length), or by more
// than 2,048 bytes, stands a call of `simtlab_stack_to`: the stack has room down to %rdi, and that is not above %rsi.
//
// simtlab-verifier (harness/verifier) demands the same of the finished object, and shares no code with this.
#pragma once

#include <string>
#include <string_view>

namespace simtlab::emulator {

/// `text`: assembly of g++'s for x86-64, with hooks and guards; any other text stays as it is.
[[nodiscard]] std::string place_frame_checks(std::string_view text);

}  // namespace simtlab::emulator
