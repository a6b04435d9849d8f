// Which functions of the C and C++ libraries device code may call: CUDA has versions of them for the device.
// Source: CUDA C++ Programming Guide, "Mathematical Functions", "Formatted Output", "Dynamic Global Memory Allocation", "Assertion",
// "Time Function"; std::move and std::forward: "C++ Language Support".
#pragma once

#include <string_view>

namespace simtlab::emulator {

/// `name` without namespace and template arguments; `in_std`: it lies in namespace std.
[[nodiscard]] bool has_device_version(std::string_view name, bool in_std);

/// A function of the emulator's own that only device code may call, by its symbol: `simtlab_syncthreads`.
[[nodiscard]] bool is_device_entry(std::string_view symbol);

}  // namespace simtlab::emulator
