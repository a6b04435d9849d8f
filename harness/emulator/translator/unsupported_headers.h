// Headers of libraries that the emulator does not have: a program that includes one is told, whether the header is on
// the machine or not.
#pragma once

#include <string_view>

namespace simtlab::emulator {

/// What to tell about the header `path` (as included, or as found on the machine); empty when nothing is wrong with it.
[[nodiscard]] std::string_view why_unsupported(std::string_view path);

}  // namespace simtlab::emulator
