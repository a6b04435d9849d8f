// `#define DEVICE __device__` and `DEVICE int x;`: the translation reads text whose macros are not expanded, and has to know
// what is a variable of the device.
#pragma once

#include <optional>
#include <string>

#include "translator/lexer.h"

namespace simtlab::emulator {

/// The text with each use of a macro of the user's that holds `__device__`, `__constant__`, `__shared__`, `__managed__`,
/// `__global__` or `__host__`, or that begins with the chevrons of a launch, replaced by what the macro stands for; lines and columns of all other tokens stay. Nothing where
/// there is no such use. Left alone: macros with a body in braces, with `#` or `##`, and whatever grows without end.
[[nodiscard]] std::optional<std::string> with_qualifiers_spelled_out(const lexed_source& source);

}  // namespace simtlab::emulator
