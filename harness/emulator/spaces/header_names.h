// The functions of CUDA's device headers, by the emulator's. Of a call in code that is never run, g++'s dump has the name alone: the
// inline function itself is nobody's need.
#pragma once

#include <string>
#include <string_view>

namespace simtlab::emulator {

/// Whether a header of intrinsics, atomic, mathematical or texture functions in `folder` has `name(`. The headers are read once.
[[nodiscard]] bool device_headers_have(const std::string& folder, std::string_view name);

}  // namespace simtlab::emulator
