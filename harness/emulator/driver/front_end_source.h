// What a CUDA front end reads: the program's own text as g++'s preprocessor leaves it for g++'s compiler.
//
// A condition on a macro that two compilers define differently (`#ifdef __clang__`, `#if __CUDACC_VER_BUILD__ > 0`) would show a front
// end another program than the one that g++ compiles, and so would such a macro in code or in a string. So a front end gets the
// text with conditions decided and macros replaced. CUDA's qualifiers stay words, headers of the system are included by their names,
// for a front end reads its own branches of those, and a name of the program's own that is a macro of the front end's is none there.
// Markers of lines, directives and strings are told apart by tokens: what a raw string holds is text.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace simtlab::emulator {

using file_reader = std::function<std::string(const std::string& file)>;

/// `preprocessed` is what `g++ -E -fdirectives-only` wrote of `source`. In the result CUDA's qualifiers stand for themselves in the
/// program's own text.
[[nodiscard]] std::string with_qualifiers_kept(std::string_view preprocessed, const std::string& source);

/// `expanded` is that text with macros replaced, by `g++ -E -fpreprocessed -fdirectives-only -dD`; `own_headers` is the folder of the
/// emulator's headers, and `read` returns a file of the program's own.
[[nodiscard]] std::string front_end_source(std::string_view expanded, std::string_view own_headers,
                                           const file_reader& read);

/// The program's own string literals, in order.
[[nodiscard]] std::vector<std::string> strings_of(std::string_view expanded);
/// Whether one of them has a qualifier in it, so that a macro may have made it.
[[nodiscard]] bool hold_qualifiers(const std::vector<std::string>& strings);

}  // namespace simtlab::emulator
