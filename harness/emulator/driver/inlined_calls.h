// Which line of the program an instruction belongs to that nvcc made of the toolkit's headers: an atomic operation, a shuffle and a
// barrier of a cooperative group are inlined functions there, and a person looks for the line that calls them.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace simtlab::emulator {

/// `listing` is what `nvdisasm -gi -c` prints of a cubin; `is_foreign` tells headers by their path. A line for each instruction that
/// stands in one and was inlined into the program: the function's mangled name, the instruction's number in it, line and path of
/// the call. With `own` a line for each instruction of the program's own text, too: nvdisasm's JSON has no lines before 13.5.
[[nodiscard]] std::string inlined_calls(std::string_view listing,
                                        const std::function<bool(const std::string&)>& is_foreign, bool own = false);

}  // namespace simtlab::emulator
