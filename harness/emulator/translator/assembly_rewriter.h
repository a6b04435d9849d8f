// The assembly rewrite: between `g++ -S` and the assembler.
//
//   1. The hooks that g++ placed get the project's own names: `__tsan_*` becomes `simtlab_tsan_*`, `__sanitizer_cov_*`
//      `simtlab_cov_*`, `__ubsan_handle_*` `simtlab_ubsan_*`. So no sanitizer's runtime ever answers for them. The most frequent
//      ones become code (inline_hooks.h). Accesses that g++ gave no hook get one (missing_hooks.h).
//   2. Calls of the C library's functions that take a pointer (trace/library_functions.def), of allocations and of a failed
//      assertion go to the emulator: `simtlab_memcpy` and so on. A function that the program defines itself stays its own.
//   3. Every variable in shared (thread-local), constant, device or managed memory is followed by a red zone of
//      `red_zone_bytes`, and the first one of a section is preceded by one, so that an index that runs out of its array
//      lands in nobody's memory. Symbol sizes and alignments stay.
//   4. Each of these variables is recorded in section `simtlab_symbols` (simtlab_symbol_record), and the largest block of each
//      kernel with `__launch_bounds__` in section `simtlab_launch_bounds` (launch_bounds.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "translator/refusal.h"

namespace simtlab::emulator {

inline constexpr unsigned red_zone_bytes = 256;

/// The part of g++'s assembly in front of the sections for debuggers, which are its larger half, hold no code and end it.
[[nodiscard]] std::string_view code_of(std::string_view assembly);

/// Rewrites the GNU assembly `text` of one translation unit. Throws `refusal` (without a line) for a shared variable that
/// a constructor or an initialiser would have to fill.
[[nodiscard]] std::string rewrite_assembly(std::string_view text);

/// What `rewrite_assembly` has made, with these functions in the table of those that host code alone may call by a pointer
/// (indirect_calls.h).
[[nodiscard]] std::string with_targets_apart(std::string text, const std::vector<std::string>& for_hosts_alone);

}  // namespace simtlab::emulator
