// The last rewrite of the assembly: no access goes by unseen.
//
// Hooks stand where g++ and the rewrites before this one placed them. Here each operand in memory is looked at once more. It needs
// nothing further if, in straight-line code, a hook has told this very address just before; if it is a place in the function's
// own frame that is known by its distance from the stack pointer; or if it is a constant. Every other one gets a guard: a call that
// keeps all registers and makes up for the hook when the lane's log does not hold the access (trace/guards.cpp).
//
// simtlab-verifier (harness/verifier) demands the same of the finished object, and shares no code with this.
#pragma once

#include <string>
#include <string_view>

namespace simtlab::emulator {

/// `text`: rewritten assembly of g++'s for x86-64, with hooks; any other text stays as it is.
[[nodiscard]] std::string place_guards(std::string_view text);

}  // namespace simtlab::emulator
