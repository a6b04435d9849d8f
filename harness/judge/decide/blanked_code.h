// The submission's source as code alone: what reads it for findings looks for words and braces in it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/core/characters.h"
#include "judge/render/source_text.h"

namespace simtlab {

using emulator::is_digit;
using emulator::is_in_name;

/// The source with comments, strings and characters blanked out, so that braces and words in it are code.
[[nodiscard]] std::string code_of(const source_text&);

struct stretch {
  std::size_t begin = 0, end = 0;
};

/// The bodies of functions: braces that open behind a parameter list, outside of another body.
[[nodiscard]] std::vector<stretch> bodies(const std::string& code);

/// Where the whole word stands next, from `from` on; npos where it does not.
[[nodiscard]] std::size_t find_word(std::string_view code, std::string_view word, std::size_t from);

/// The end of the text where there is no such line.
[[nodiscard]] std::size_t begin_of_line(const std::string& code, int line);

/// From 1 on.
[[nodiscard]] int line_at(const std::string& code, std::size_t at);

/// Behind the bracket that closes the one at `open`; the end of the text where none does.
[[nodiscard]] std::size_t behind_bracket(const std::string& code, std::size_t open);

}  // namespace simtlab
