// Names of CUDA that the emulator does not have, by the names alone: why not, and what to write instead.
#pragma once

#include <string_view>

namespace simtlab::emulator {

/// A sentence or two; empty for every other name.
[[nodiscard]] std::string_view why_unsupported_name(std::string_view name);

}  // namespace simtlab::emulator
