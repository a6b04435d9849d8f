// What printf in a kernel prints. nvcc leaves its arguments in memory, each at the next multiple of its size: whole numbers of 4 or 8
// bytes, floating-point numbers as doubles, pointers (CUDA C++ Programming Guide, "Formatted Output").
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "core/types.h"

namespace simtlab::emulator {

/// `text_at` gives what a `%s` points to. A conversion without an argument prints as it stands.
[[nodiscard]] std::string device_print(std::string_view format, std::span<const std::byte> arguments,
                                       const std::function<std::string(address)>& text_at);

}  // namespace simtlab::emulator
