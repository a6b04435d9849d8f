// Finds the plain reads that can be nothing but the first guess of a compare-and-swap (checks/races/cas_probe_reads.h).
#pragma once

#include <string>
#include <string_view>

namespace simtlab::emulator {

/// In g++'s assembly, renames the hook of every plain read from which all ways of its function lead to a call of
/// `simtlab_compare_and_swap` before they lead back to the read or out of the function: `__tsan_read4` becomes
/// `__tsan_probe4`. What a way does that cannot be followed, an indirect jump, counts as leading out.
[[nodiscard]] std::string mark_cas_probe_reads(std::string_view text);

}  // namespace simtlab::emulator
