#include "translator/lexer.h"

#include <algorithm>
#include <array>
#include <optional>

namespace simtlab::emulator {
namespace {

bool starts_identifier(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool continues_identifier(char c) { return starts_identifier(c) || is_digit(c); }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

bool is_raw_prefix(std::string_view word) {
  constexpr std::array<std::string_view, 5> prefixes{"R", "u8R", "uR", "UR", "LR"};
  return std::find(prefixes.begin(), prefixes.end(), word) != prefixes.end();
}

struct line_marker {
  std::uint32_t line = 0;
  std::optional<std::string> file;
  bool system = false;
};

class scanner {
 public:
  scanner(std::string_view text, std::string_view file) {
    out_.text = text;
    out_.files.emplace_back(file);
  }

  lexed_source run() {
    while (at_ < size()) {
      start_line();
      if (system_)
        skip_system_lines();
      else
        scan_line();
    }
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::size_t size() const { return out_.text.size(); }
  [[nodiscard]] char peek(std::size_t ahead = 0) const { return at_ + ahead < size() ? out_.text[at_ + ahead] : '\0'; }

  void start_line() {
    line_begin_ = at_;
    first_on_line_ = true;
  }

  void newline() {
    ++at_;
    ++line_;
    if (current_ == &out_.code && !out_.code.tokens.empty()) out_.code.tokens.back().last_on_line = true;
    start_line();
  }

  /// A backslash before the end of the line joins it with the next. True if one was there and is now behind us.
  bool splice() {
    if (peek() != '\\') return false;
    std::size_t n = 1;
    while (is_blank(peek(n))) ++n;
    if (peek(n) != '\n') return false;
    at_ += n;
    newline();
    first_on_line_ = false;
    return true;
  }

  void skip_system_lines() {
    for (; at_ < size(); at_ = next_directive()) {
      const std::size_t end = std::min(out_.text.find('\n', at_), size());
      const std::string_view line = out_.text.substr(at_, end - at_);
      if (line.starts_with("# ") && line.size() > 2 && is_digit(line[2])) {
        scan_line();
        return;
      }
      if (line.starts_with("#define ")) note_function_like(line.substr(8));
    }
  }

  /// The line behind this one that begins with `#`. A header has many lines and few such signs.
  [[nodiscard]] std::size_t next_directive() const {
    std::size_t sign = at_;
    do sign = out_.text.find('#', sign + 1);
    while (sign != std::string_view::npos && out_.text[sign - 1] != '\n');
    return std::min(sign, size());
  }

  void note_function_like(std::string_view rest) {
    std::size_t n = 0;
    while (n < rest.size() && continues_identifier(rest[n])) ++n;
    if (n == 0 || n == rest.size() || rest[n] != '(') return;
    out_.function_like.insert(rest.substr(0, n));
    if (rest.find("##", n) != std::string_view::npos) out_.pasting[rest.substr(0, n)] = rest;
  }

  /// One logical line: code up to a newline outside of tokens, or one directive.
  void scan_line() {
    skip_blanks();
    if (peek() == '#') return scan_directive();
    current_ = &out_.code;
    while (at_ < size() && peek() != '\n') scan_token();
    if (at_ < size()) newline();
  }

  void skip_blanks() {
    while (at_ < size()) {
      if (is_blank(peek()))
        ++at_;
      else if (!splice() && !skip_comment())
        return;
    }
  }

  bool skip_comment() {
    if (peek() != '/') return false;
    if (peek(1) == '/') {
      while (at_ < size() && peek() != '\n')
        if (!splice()) ++at_;
      return true;
    }
    if (peek(1) != '*') return false;
    at_ += 2;
    while (at_ < size() && !(peek() == '*' && peek(1) == '/')) {
      if (peek() == '\n') {
        const bool first = first_on_line_;
        newline();
        first_on_line_ = first;
      } else {
        ++at_;
      }
    }
    at_ = std::min(at_ + 2, size());
    return true;
  }

  void scan_directive() {
    const std::size_t hash = at_;
    ++at_;
    skip_blanks();
    if (is_digit(peek())) return scan_marker();
    const std::string_view word = take_word();
    if (word == "line") {
      skip_blanks();
      return scan_marker();
    }
    if (word == "define") return scan_define();
    if (word == "undef") return scan_undef();
    if (word == "pragma") {
      token_list pragma;
      finish_directive(&pragma);
      out_.pragmas.push_back(std::move(pragma));
      return;
    }
    at_ = hash + 1;
    finish_directive(nullptr);
  }

  std::string_view take_word() {
    const std::size_t begin = at_;
    while (continues_identifier(peek())) ++at_;
    return out_.text.substr(begin, at_ - begin);
  }

  /// The rest of a directive's logical line, its tokens collected into `into` unless that is null.
  void finish_directive(token_list* into) {
    token_list ignored;
    current_ = into == nullptr ? &ignored : into;
    while (at_ < size() && peek() != '\n') scan_token();
    current_ = &out_.code;
    if (at_ < size()) newline();
  }

  void scan_define() {
    skip_blanks();
    token_list macro;
    macro.defined_at = static_cast<std::uint32_t>(at_);
    macro.name = take_word();
    if (peek() == '(') {
      out_.function_like.insert(macro.name);
      ++at_;
      while (at_ < size() && peek() != ')' && peek() != '\n') {
        if (starts_identifier(peek()))
          macro.parameters.emplace_back(take_word());
        else if (!splice())
          ++at_;
      }
      macro.parameters.emplace_back("__VA_ARGS__");
      if (peek() == ')') ++at_;
    }
    finish_directive(&macro);
    out_.macros.push_back(std::move(macro));
  }

  void scan_undef() {
    skip_blanks();
    token_list macro;
    macro.defined_at = static_cast<std::uint32_t>(at_);
    macro.name = take_word();
    finish_directive(nullptr);
    out_.macros.push_back(std::move(macro));
  }

  void scan_marker() {
    out_.line_directive = line_;
    std::uint32_t number = 0;
    while (is_digit(peek())) number = number * 10 + static_cast<std::uint32_t>(out_.text[at_++] - '0');
    while (is_blank(peek())) ++at_;
    if (peek() == '"') {
      std::string name;
      for (++at_; at_ < size() && peek() != '"' && peek() != '\n'; ++at_) {
        if (peek() == '\\' && at_ + 1 < size() && peek(1) != '\n') ++at_;
        name += peek();
      }
      if (peek() == '"') ++at_;
      const std::size_t line_end = std::min(out_.text.find('\n', at_), size());
      const bool entered = out_.text.substr(at_, line_end - at_).find('1') != std::string_view::npos;
      const bool of_system = out_.text.substr(at_, line_end - at_).find('3') != std::string_view::npos;
      if (entered && !system_) out_.inclusions.push_back({name, file_, line_, of_system});
      enter_file(name);
    }
    const std::size_t end = std::min(out_.text.find('\n', at_), size());
    const std::string_view flags = out_.text.substr(at_, end - at_);
    system_ = flags.find('3') != std::string_view::npos || out_.files[file_].starts_with("<");
    at_ = end;
    if (at_ < size()) newline();
    line_ = number;
  }

  void enter_file(const std::string& name) {
    const auto known = std::find(out_.files.begin(), out_.files.end(), name);
    file_ = static_cast<std::uint32_t>(known - out_.files.begin());
    if (known == out_.files.end()) out_.files.push_back(name);
  }

  void scan_token() {
    const char c = peek();
    if (is_blank(c))
      ++at_;
    else if (splice() || skip_comment())
      return;
    else if (starts_identifier(c))
      scan_word();
    else if (is_digit(c) || (c == '.' && is_digit(peek(1))))
      scan_number();
    else if (c == '"' || c == '\'')
      scan_quoted(begin_token());
    else
      emit(begin_token(), token_kind::punctuator, at_ + (c == ':' && peek(1) == ':' ? 2 : 1));
  }

  [[nodiscard]] token begin_token() const {
    token t;
    t.begin = static_cast<std::uint32_t>(at_);
    t.line = line_;
    t.column = static_cast<std::uint32_t>(at_ - line_begin_);
    t.file = file_;
    t.first_on_line = first_on_line_;
    return t;
  }

  void emit(token t, token_kind kind, std::size_t end) {
    t.kind = kind;
    t.end = static_cast<std::uint32_t>(end);
    at_ = end;
    current_->tokens.push_back(t);
    first_on_line_ = false;
  }

  void scan_word() {
    const token t = begin_token();
    const std::string_view word = take_word();
    if (peek() == '"' && is_raw_prefix(word)) return scan_raw_string(t);
    emit(t, token_kind::identifier, at_);
  }

  void scan_number() {
    const token t = begin_token();
    while (at_ < size()) {
      const char c = peek();
      const char next = peek(1);
      const bool signed_exponent = (c == 'e' || c == 'E' || c == 'p' || c == 'P') && (next == '+' || next == '-');
      const bool separated_digit = c == '\'' && continues_identifier(next);
      if (signed_exponent || separated_digit)
        at_ += 2;
      else if (c == '.' || continues_identifier(c))
        ++at_;
      else
        break;
    }
    emit(t, token_kind::number, at_);
  }

  void scan_quoted(const token& t) {
    const char quote = peek();
    for (++at_; at_ < size() && peek() != '\n'; ++at_) {
      while (splice()) {
      }
      if (peek() == '\\' && at_ + 1 < size() && peek(1) != '\n')
        ++at_;
      else if (peek() == quote)
        return emit(t, kind_of(quote), at_ + 1);
      else if (peek() == '\n' || at_ >= size())
        break;
    }
    emit(t, kind_of(quote), std::min(at_, size()));
  }

  static token_kind kind_of(char quote) { return quote == '"' ? token_kind::string : token_kind::character; }

  void scan_raw_string(const token& t) {
    const std::size_t open = out_.text.find('(', at_);
    std::size_t end = size();
    if (open != std::string_view::npos && open - at_ <= 17) {
      const std::string closing = ")" + std::string(out_.text.substr(at_ + 1, open - at_ - 1)) + "\"";
      const std::size_t found = out_.text.find(closing, open);
      if (found != std::string_view::npos) end = found + closing.size();
    }
    for (std::size_t i = at_; i < end; ++i) {
      if (out_.text[i] != '\n') continue;
      ++line_;
      line_begin_ = i + 1;
    }
    emit(t, token_kind::string, end);
  }

  lexed_source out_;
  token_list* current_ = &out_.code;
  std::size_t at_ = 0, line_begin_ = 0;
  std::uint32_t line_ = 1, file_ = 0;
  bool first_on_line_ = true, system_ = false;
};

}  // namespace

lexed_source lex(std::string_view text, std::string_view file) { return scanner(text, file).run(); }

}  // namespace simtlab::emulator
