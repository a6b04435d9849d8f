// What clang's instrumentation gets wrong of a program's accesses, mended in LLVM's text.
#pragma once

#include <string>
#include <string_view>

namespace simtlab::emulator {

/// Takes out the hooks of the reads that an assignment to a bit-field begins with: the program does not read there. `text` is
/// instrumented and has the values' names.
[[nodiscard]] std::string without_reads_of_bit_fields(std::string_view text);

/// Makes every `llvm.memcpy` of a function that gets hooks a call of `simtlab_clang_copyN` (trace/clang_hooks.cpp), N being the smaller alignment of its two
/// sides, 1 to 16: the pieces in which a GPU copies the structure, of which the instrumentation keeps nothing.
[[nodiscard]] std::string name_pieces_of_copies(std::string_view text);

}  // namespace simtlab::emulator
