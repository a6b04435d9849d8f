// The names of GNU assembly.
#pragma once

#include "translator/lexer.h"

namespace simtlab::emulator {

/// Of a symbol's name, as g++ writes it: `_Z6kernelPf.cold`.
constexpr bool is_in_symbol(char c) { return is_in_name(c) || c == '.' || c == '$'; }

}  // namespace simtlab::emulator
