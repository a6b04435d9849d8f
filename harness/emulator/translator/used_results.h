// Tells the calls of `simtlab_atomic` whose result is used. Adding one costs less where nobody asks for what was there
// (costs/bank_conflicts.h), and only the compiler knows.
#pragma once

#include <string>
#include <string_view>

namespace simtlab::emulator {

/// In a compiler's assembly, makes `simtlab_atomic_used` of every call of `simtlab_atomic` behind which, before the next
/// such call, there stands the directive `.set simtlab_result_used, 1`, and takes the directives out. It is the text of an `asm`
/// that takes the result and gives it back (include/device_atomic_functions.h): a compiler leaves it out with the result.
[[nodiscard]] std::string mark_used_results(std::string_view text);

}  // namespace simtlab::emulator
