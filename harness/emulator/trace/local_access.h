// What the assembly rewriter's hooks for a thread's own variables (translator/missing_hooks.h) tell: which bytes of the frame
// such variables may lie in. An access there is a register's on a GPU; one that leaves them is looked at as any other.
#pragma once

#include <cstdint>

namespace simtlab::emulator {

/// Distances from the stack pointer, in words of 8 bytes; both 0 where the frame is too large to tell.
struct frame_bounds {
  std::uint32_t begin = 0, end = 0;
  static constexpr unsigned begin_bits = 15, end_bits = 16;  // together an immediate operand without a sign
  static constexpr std::uint32_t most = (1U << begin_bits) - 1;

  [[nodiscard]] constexpr std::uint32_t code() const { return end > most ? 0 : begin | end << begin_bits; }
};

}  // namespace simtlab::emulator
