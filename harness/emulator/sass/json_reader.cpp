#include "sass/json_reader.h"

#include <charconv>

namespace simtlab::emulator::sass {
namespace {
constexpr unsigned most_depth = 64;
}

void json_reader::fail(std::string_view expected) const {
  throw json_error("expected " + std::string(expected) + " at byte " + std::to_string(at_) + ", found \"" +
                   std::string(text_.substr(at_, 12)) + '"');
}

char json_reader::peek() {
  while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r'))
    ++at_;
  return at_ < text_.size() ? text_[at_] : '\0';
}

void json_reader::expect(char c) {
  if (peek() != c) fail(std::string{'\'', c, '\''});
  ++at_;
}

void json_reader::open(char c) {
  expect(c);
  if (++depth_ > most_depth) fail("fewer brackets");
}

bool json_reader::next_in(char close, bool first) {
  if (peek() == close) {
    ++at_;
    --depth_;
    return false;
  }
  if (!first) expect(',');
  return true;
}

std::string json_reader::string() {
  expect('"');
  std::string result;
  while (at_ < text_.size() && text_[at_] != '"') {
    char c = text_[at_++];
    if (c == '\\') {
      if (at_ == text_.size()) break;
      c = text_[at_++];
      constexpr std::string_view letters = "bfnrt", meant = "\b\f\n\r\t";
      if (const std::size_t i = letters.find(c); i != letters.npos) {
        c = meant[i];
      } else if (c == 'u') {  // nvdisasm writes none but ASCII
        unsigned code = 0;
        const char* const begin = text_.data() + at_;
        const std::size_t digits = std::min<std::size_t>(4, text_.size() - at_);
        if (std::from_chars(begin, begin + digits, code, 16).ptr != begin + 4) fail("four hexadecimal digits");
        at_ += 4;
        c = code < 128 ? static_cast<char>(code) : '?';
      }
    }
    result += c;
  }
  expect('"');
  return result;
}

std::uint64_t json_reader::number() {
  peek();
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
  if (error != std::errc{}) fail("a whole number");
  at_ = static_cast<std::size_t>(end - text_.data());
  return value;
}

void json_reader::skip() {
  switch (peek()) {
    case '{':
      return object([&](std::string_view) { skip(); });
    case '[':
      return array([&](std::size_t) { skip(); });
    case '"':
      static_cast<void>(string());
      return;
    default:
      break;
  }
  const std::size_t begin = at_;
  while (at_ < text_.size() && std::string_view("+-.0123456789eEaflnrstu").find(text_[at_]) != std::string_view::npos)
    ++at_;
  if (at_ == begin) fail("a value");
}

void json_reader::end() {
  if (peek() != '\0' || at_ != text_.size()) fail("nothing more");
}

}  // namespace simtlab::emulator::sass
