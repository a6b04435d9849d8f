// What clang reads as CUDA: the program's own text with the conditions decided as g++ decides them.
//
// A condition on a compiler's name (`#ifdef __clang__`, `#if __GNUC__ > 9`) would show clang another program than the one that
// g++ compiles. So clang gets the text that g++'s preprocessor leaves: directives are carried out, macros defined and not yet
// replaced. Headers of the system are included by their names, for clang reads its own branches of those. Where the program
// itself mentions a macro that g++ predefines, the macro has g++'s value, and clang's own are not defined.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace simtlab::emulator {

using file_reader = std::function<std::string(const std::string& file)>;

/// `preprocessed` is what `g++ -E -fdirectives-only` wrote; `read` returns a file of the program's own.
[[nodiscard]] std::string front_end_source(std::string_view preprocessed, const file_reader& read);

}  // namespace simtlab::emulator
