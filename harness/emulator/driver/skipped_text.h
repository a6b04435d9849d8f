// Prose between `#if 0` and `#endif` may hold a lone quote: C++ makes it a token of its own there ([lex.pptoken]), and g++'s
// preprocessor takes it, but not with -fdirectives-only, which reads the rest of the file as that literal.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace simtlab::emulator {

/// Stands, with the line's number behind it, for a line with a literal that does not end on it. Where it is left behind by the
/// preprocessor, the line is no skipped one, and the program is wrong.
inline constexpr std::string_view open_literal = "#pragma simtlab literal without an end ";

/// `text` with each such line replaced by `open_literal`, all other lines at their numbers; nothing where there is none, or where
/// a comment ends on one of them. Directives keep their lines.
[[nodiscard]] std::optional<std::string> without_open_literals(std::string_view text);
/// The line of the first that is left in a preprocessed text; 0: none.
[[nodiscard]] int line_of_open_literal(std::string_view preprocessed);

}  // namespace simtlab::emulator
