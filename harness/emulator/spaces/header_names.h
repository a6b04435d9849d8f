// The functions that the emulator's headers declare. Of a call in code that is never run, g++'s dump has the name alone: the inline
// function itself is nobody's need.
#pragma once

#include <string>
#include <string_view>

namespace simtlab::emulator {

/// Whether a header in `folder` has `name(`, and it is no call of the runtime's, which only host code may make. The headers are read
/// once.
[[nodiscard]] bool headers_declare_for_device(const std::string& folder, std::string_view name);

}  // namespace simtlab::emulator
