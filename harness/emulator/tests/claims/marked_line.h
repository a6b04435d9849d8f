// Tests name a line of a source file by a marker at its end, so that no number has to follow an edit.
#pragma once

#include <string_view>

namespace simtlab::emulator::claims {

/// 1-based number of the only line in `file` that ends in `//@ marker`. Throws if there is none, or more than one.
[[nodiscard]] int marked_line(const char* file, std::string_view marker);

}  // namespace simtlab::emulator::claims
