// What PTX instructions mean, as C++ that calls include/simtlab/ptx.h.
#pragma once

#include <string>

#include "translator/ptx_text.h"

namespace simtlab::emulator {

/// Statements that do what the instruction does. Throws ptx_error for every instruction, modifier, type and number of operands
/// that the emulator does not know.
[[nodiscard]] std::string ptx_to_cpp(const ptx_instruction&);

}  // namespace simtlab::emulator
