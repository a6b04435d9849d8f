// What a GPU does where x86's `div` and `idiv` trap: it goes on, with a value that means nothing.
#pragma once

#include <csignal>
#include <cstdint>

namespace simtlab::emulator {

enum class trapped_division : std::uint8_t {
  none,      ///< the instruction is no division: the trap has another reason
  by_zero,   ///< the quotient has all bits set now and the remainder is the dividend's low half
  overflow,  ///< the smallest number by -1: the quotient is that number, the remainder 0
};

/// For a SIGFPE: steps over the division that `context` stands at. Elsewhere than on x86-64 no division traps.
trapped_division step_over_division(ucontext_t& context);

}  // namespace simtlab::emulator
