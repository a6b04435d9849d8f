// Spill promotion: sums that g++ keeps on the stack get a register beside it.
//
// A hook looks like a call to g++, and a call may change every xmm register, so that a sum in a loop with hooks is kept in
// a stack slot: each turn of the loop waits for the slot's store before it can load. Since the hooks are code, nothing in
// the loop changes these registers any more. This rewrite of finished assembly lets a register that the function does not
// mention mirror such a slot:
//
//   behind a store of a register to the slot        the mirror is set from the same register
//   behind every other store that may touch it      the mirror is loaded from the slot
//   behind every call, and where an exception lands the mirror is loaded from the slot
//   a scalar load or operation that reads the slot  reads the mirror
//
// So wherever the slot holds something, the mirror holds the same, whatever way led there: no flow of data is followed. The
// slot itself stays what it was, for all other reads and for debuggers.
//
// It holds where the slot is reached by its name alone. Functions are left as they are that form an address in their
// frame, move the stack pointer outside of their first and last instructions, or hold inline assembly or anything else
// that is not known here.
#pragma once

#include <string>
#include <string_view>

namespace simtlab::emulator {

/// `text`: assembly by g++ for x86-64 with its hooks inlined (inline_hooks.h); any other text stays as it is.
[[nodiscard]] std::string promote_spills(std::string_view text);

}  // namespace simtlab::emulator
