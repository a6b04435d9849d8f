// Instructions as nvdisasm writes them, read.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "sass/instruction.h"

namespace simtlab::emulator::sass {

/// One line of a listing.
struct instruction_line {
  std::string predicate;  ///< "@!P0", or empty
  std::string opcode;     ///< "IMAD.WIDE.U32"
  std::string operands;   ///< "R2,R8,0x4,R2"
  /// Its lower 64 bits, 0 where nobody knows: a listing does not tell NaNs from one another.
  std::uint64_t encoding = 0;
  /// As one reads it.
  [[nodiscard]] std::string text() const;
};

/// The number of the instruction that a name in the code stands for.
using label_finder = std::function<std::optional<std::uint32_t>(std::string_view)>;

/// Throws `unreadable_code`, which names what is not known: the opcode, a modifier, an operand. `number` is the instruction's own,
/// `origin` that of the function's first, from which addresses count.
instruction read_instruction(const instruction_line&, std::uint32_t number, std::uint32_t origin, const label_finder&);

}  // namespace simtlab::emulator::sass
