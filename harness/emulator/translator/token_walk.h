// Finding one's way in a list of tokens: matching brackets, template arguments, statements. Positions are indices;
// `none` says that something is not there.
#pragma once

#include <cstddef>
#include <cstring>
#include <string_view>

#include "translator/lexer.h"

namespace simtlab::emulator {

class token_walk {
 public:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  token_walk(const lexed_source& source, const token_list& list);

  [[nodiscard]] std::size_t size() const { return list_.tokens.size(); }
  [[nodiscard]] const token& at(std::size_t i) const { return list_.tokens[i]; }
  [[nodiscard]] std::string_view text(std::size_t i) const {
    return i < size() ? source_.spelling(list_.tokens[i]) : std::string_view();
  }
  [[nodiscard]] bool is(std::size_t i, std::string_view what) const {
    if (i >= size()) return false;
    const token& t = list_.tokens[i];  // most differ in length: asked for every token many times
    return t.end - t.begin == what.size() && std::memcmp(source_.text.data() + t.begin, what.data(), what.size()) == 0;
  }
  /// `asm`, by any of its spellings.
  [[nodiscard]] bool is_asm(std::size_t i) const { return is(i, "asm") || is(i, "__asm__") || is(i, "__asm"); }
  [[nodiscard]] bool is_identifier(std::size_t i) const { return i < size() && at(i).kind == token_kind::identifier; }
  /// Whether token `i + 1` follows `i` without white space.
  [[nodiscard]] bool adjacent(std::size_t i) const { return i + 1 < size() && at(i).end == at(i + 1).begin; }

  /// Whether `##` stands at token `i`.
  [[nodiscard]] bool is_pasting(std::size_t i) const { return is(i, "#") && is(i + 1, "#") && adjacent(i); }

  /// The bracket that closes the `(`, `[` or `{` at `open`.
  [[nodiscard]] std::size_t closing(std::size_t open) const { return partner_[open]; }
  /// The bracket that opens what the `)`, `]` or `}` at `close` closes.
  [[nodiscard]] std::size_t opening(std::size_t close) const { return partner_[close]; }
  /// The `<` that the `>` at `close` ends as template arguments.
  [[nodiscard]] std::size_t opening_angle(std::size_t close) const;
  /// The `>` that ends the template arguments which begin at `open`.
  [[nodiscard]] std::size_t closing_angle(std::size_t open) const;
  /// Behind `__attribute__((..))`, `__align__(..)`, `alignas(..)`, `__launch_bounds__(..)` or `[[..]]` at `i`; `i` if none.
  [[nodiscard]] std::size_t after_attribute(std::size_t i) const;
  /// The `;` of the statement that token `i` stands in, if it is not far away.
  [[nodiscard]] std::size_t end_of_statement(std::size_t i) const;

 private:
  const lexed_source& source_;
  const token_list& list_;
  std::vector<std::size_t>
      partner_;  // of each bracket; found once, so that hostile nesting costs no more than its length
};

}  // namespace simtlab::emulator
