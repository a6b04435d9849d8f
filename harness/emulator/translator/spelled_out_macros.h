// `#define DEVICE __device__` and `DEVICE int x;`, or `#define OP(text) asm(text : …)`: the translation reads text whose macros are not
// expanded, and has to know what is a variable of the device, and what inline PTX says.
#pragma once

#include <optional>
#include <string>

#include "translator/lexer.h"

namespace simtlab::emulator {

/// The text with each use of some macros of the user's replaced by what the macro stands for; lines and columns of all other tokens
/// stay. Nothing where there is no such use. Those are macros that
/// - hold `__device__`, `__constant__`, `__shared__`, `__managed__`, `__global__` or `__host__`, or begin with the chevrons of a
///   launch; but none with a body in braces, with `#` or `##`;
/// - hold an `asm` whose text is not all in string literals, or stand in such a text.
/// Left alone is whatever grows without end.
[[nodiscard]] std::optional<std::string> with_macros_spelled_out(const lexed_source& source);

}  // namespace simtlab::emulator
