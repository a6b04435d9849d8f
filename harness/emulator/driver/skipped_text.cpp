#include "driver/skipped_text.h"

#include <algorithm>
#include <charconv>

#include "core/characters.h"

namespace simtlab::emulator {
namespace {

/// Reads one logical line after the other.
class line_reader {
 public:
  explicit line_reader(std::string_view text) : text_(text) {}

  std::optional<std::string> run() {
    while (at_ < text_.size()) {
      const std::size_t begin = at_;
      const bool begins_in_comment = in_comment_;
      const bool is_open = read_line();
      if (is_open && begins_in_comment) return std::nullopt;
      if (is_open) {
        result_ += std::string(open_literal) + std::to_string(line_);
        for (const char c : text_.substr(begin, at_ - begin))
          if (c == '\n') result_ += c;
      } else {
        result_ += text_.substr(begin, at_ - begin);
      }
      found_ |= is_open;
      line_ += static_cast<int>(std::ranges::count(text_.substr(begin, at_ - begin), '\n'));
    }
    return found_ ? std::optional(std::move(result_)) : std::nullopt;
  }

 private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  [[nodiscard]] bool at_splice() const {
    return peek() == '\\' && (peek(1) == '\n' || (peek(1) == '\r' && peek(2) == '\n'));
  }
  [[nodiscard]] bool at_end() const { return at_ >= text_.size() || peek() == '\n'; }

  void skip_splices() {
    while (at_splice()) at_ += peek(1) == '\r' ? 3 : 2;
  }
  void skip_line() {
    for (; !at_end(); ++at_)
      while (at_splice()) at_ += 2;
  }

  /// Returns whether the line holds a literal that does not end, and stands behind the line.
  bool read_line() {
    while (!in_comment_ && (peek() == ' ' || peek() == '\t')) ++at_;
    const bool is_directive = !in_comment_ && peek() == '#';
    bool is_open = false;
    while (!at_end() && !is_open) is_open = !read_token();
    skip_line();
    if (at_ < text_.size()) ++at_;
    return is_open && !is_directive;
  }

  /// False: it is a literal, and the line ends before it does.
  bool read_token() {
    skip_splices();
    if (at_end()) return true;
    if (in_comment_) {
      const std::size_t end = std::min(text_.find("*/", at_), text_.size());
      const std::size_t line = std::min(text_.find('\n', at_), text_.size());
      in_comment_ = line < end;
      at_ = in_comment_ ? line : std::min(end + 2, text_.size());
    } else if (peek() == '/' && peek(1) == '/') {
      skip_line();
    } else if (peek() == '/' && peek(1) == '*') {
      in_comment_ = true;
      at_ += 2;
    } else if (is_digit(peek())) {
      while (is_in_name(peek()) || peek() == '.' || (peek() == '\'' && is_in_name(peek(1)))) ++at_;
    } else if (is_in_name(peek())) {
      return read_word();
    } else if (peek() == '"' || peek() == '\'') {
      return read_literal();
    } else {
      ++at_;
    }
    return true;
  }

  bool read_word() {
    const std::size_t begin = at_;
    while (is_in_name(peek())) ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    const bool is_raw = peek() == '"' && (word == "R" || word == "LR" || word == "uR" || word == "UR" || word == "u8R");
    if (!is_raw) return true;
    const std::size_t open = text_.find('(', at_);
    if (open == std::string_view::npos) return false;
    const std::string closing = ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "\"";
    const std::size_t end = text_.find(closing, open);
    if (end == std::string_view::npos) return false;
    at_ = end + closing.size();
    return true;
  }

  bool read_literal() {
    const char quote = peek();
    for (++at_; !at_end(); ++at_) {
      skip_splices();
      if (peek() == '\\')
        ++at_;
      else if (peek() == quote) {
        ++at_;
        return true;
      }
      if (at_end()) return false;
    }
    return false;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
  bool in_comment_ = false, found_ = false;
  std::string result_;
};

}  // namespace

std::optional<std::string> without_open_literals(std::string_view text) { return line_reader(text).run(); }

int line_of_open_literal(std::string_view preprocessed) {
  const std::size_t found = preprocessed.find("\n" + std::string(open_literal));
  if (found == std::string_view::npos) return 0;
  int line = 0;
  const char* digits = preprocessed.data() + found + 1 + open_literal.size();
  std::from_chars(digits, preprocessed.data() + preprocessed.size(), line);
  return line;
}

}  // namespace simtlab::emulator
