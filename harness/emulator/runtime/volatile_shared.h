// Which `__shared__` variables of a kernel are volatile. Machine code does not say that of an access to shared memory, as it does of
// one to global memory; the PTX that a cubin carries along does.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace simtlab::emulator {

/// Names, mangled, of the variables that the kernel (mangled) reads and writes by volatile accesses alone. Lines of `ptx` end with a
/// newline or a zero.
[[nodiscard]] std::set<std::string> volatile_shared(std::string_view ptx, std::string_view kernel);

}  // namespace simtlab::emulator
