// Splits C++ source into tokens, knowing just enough not to be fooled by comments, strings and raw strings.
//
// The text is a source file or, as simtcc feeds it, the output of `g++ -E -fdirectives-only`: all includes in one text,
// macros not yet expanded, and linemarkers that say which file a line came from. Lines of system headers are skipped in
// whole. No input is an error; what never ends (a string, a comment) ends with its line or with the text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/characters.h"

namespace simtlab::emulator {

enum class token_kind : std::uint8_t { identifier, number, string, character, punctuator };

struct token {
  token_kind kind{};
  std::uint32_t begin = 0, end = 0;  ///< byte range in the text
  std::uint32_t line = 0;            ///< 1-based, in the file that the linemarkers name
  std::uint32_t column = 0;          ///< 0-based, in bytes
  std::uint32_t file = 0;            ///< index into `token_list::files`
  bool first_on_line = false;        ///< nothing but white space and comments before it
  bool last_on_line = false;         ///< nothing but white space and comments behind it
};

/// The tokens of one stretch: the program's code, or the replacement of one macro.
struct token_list {
  std::vector<token> tokens;
  std::vector<std::string> parameters;  ///< of a function-like macro; `__VA_ARGS__` for an ellipsis
  std::string_view name;                ///< of the macro
  std::uint32_t defined_at = 0;  ///< of the macro: where in the text its name stands behind `#define` or `#undef`
};

/// An `#include` in the user's own files, as the linemarkers tell it.
struct inclusion {
  std::string file;        ///< what was included
  std::uint32_t from = 0;  ///< index into `lexed_source::files`
  std::uint32_t line = 0;  ///< of the `#include`
  bool system = false;     ///< a system's header, not one of the user's
};

struct lexed_source {
  std::string_view text;
  std::vector<std::string> files;
  token_list code;  ///< everything outside of directives
  std::vector<inclusion> inclusions;
  std::vector<token_list> macros;   ///< one per `#define` of the user's own files; an `#undef` is one without tokens
  std::vector<token_list> pragmas;  ///< one per `#pragma` of the user's own files
  std::unordered_set<std::string_view> function_like;  ///< names of all macros that take arguments
  /// Of those of system headers that hold `##`: what stands behind `#define`.
  std::unordered_map<std::string_view, std::string_view> pasting;
  std::uint32_t line_directive = 0;  ///< where the last linemarker or `#line` stands; 0: none

  [[nodiscard]] std::string_view spelling(const token& t) const { return text.substr(t.begin, t.end - t.begin); }
};

/// `text` must outlive the result. At most 4 GB.
[[nodiscard]] lexed_source lex(std::string_view text, std::string_view file);

}  // namespace simtlab::emulator
