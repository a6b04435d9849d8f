// PTX instructions that compute: sums, bits, conversions, comparisons, moves between registers.
#pragma once

#include <string>

#include "translator/ptx_text.h"

namespace simtlab::emulator {

/// Statements that do what the instruction does. Throws ptx_error for one that it does not know.
[[nodiscard]] std::string ptx_value_to_cpp(const ptx_instruction&);

}  // namespace simtlab::emulator
