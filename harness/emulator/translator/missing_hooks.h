// Hooks where g++'s instrumentation has none. It looks at assignments only, so these go by it unseen:
//
//   s[t] = f(x);            a structure that a function returns, in registers or through a hidden pointer
//   f(s[t])                 a structure that a function takes by value
//   memcpy(&s[t], &x, 24)   and its like, where g++ makes instructions of them
//
// The assembly shows them: behind a hook come the instructions of the one access that it stands for, and every call
// begins anew. An instruction that accesses an object (access_notes.h) for which no hook stands gets one here. Such a hook
// saves all registers, since g++ knows of no call there. For structures that g++ did hook, the hook learns the
// alignment: a GPU copies a structure in pieces of it.
#pragma once

#include <string>
#include <string_view>

namespace simtlab::emulator {

/// `annotated`: g++'s assembly for x86-64, written with -dP; any other text stays as it is.
[[nodiscard]] std::string place_missing_hooks(std::string_view annotated);

}  // namespace simtlab::emulator
