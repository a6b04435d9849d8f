#include "judge/decide/blanked_code.h"

#include <algorithm>
#include <cctype>

namespace simtlab {

std::string code_of(const source_text& source) {
  std::string text;
  for (std::size_t n = 1; n <= source.size(); ++n) text += source.line(static_cast<int>(n)) + "\n";
  const auto blank = [&text](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < std::min(to, text.size()); ++i)
      if (text[i] != '\n') text[i] = ' ';
    return std::min(to, text.size());
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = std::string_view(text).substr(at);
    if (rest.starts_with("//")) {
      at = blank(at, std::min(text.find('\n', at), text.size()));
    } else if (rest.starts_with("/*")) {
      const std::size_t end = text.find("*/", at + 2);
      at = blank(at, end == std::string::npos ? text.size() : end + 2);
    } else if (text[at] == '"' ||
               (text[at] == '\'' && (at == 0 || std::isalnum(static_cast<unsigned char>(text[at - 1])) == 0))) {
      std::size_t end = at + 1;
      while (end < text.size() && text[end] != text[at] && text[end] != '\n') end += text[end] == '\\' ? 2 : 1;
      at = blank(at, end + 1);
    } else {
      ++at;
    }
  }
  return text;
}

std::vector<stretch> bodies(const std::string& code) {
  std::vector<stretch> all;
  for (std::size_t at = 0; at < code.size(); ++at) {
    if (code[at] != '{') continue;
    const std::size_t before = code.find_last_not_of(" \n", at == 0 ? 0 : at - 1);
    if (before == std::string::npos || code[before] != ')') continue;
    int depth = 0;
    std::size_t end = at;
    for (; end < code.size(); ++end) {
      depth += code[end] == '{' ? 1 : code[end] == '}' ? -1 : 0;
      if (depth == 0) break;
    }
    all.push_back({at, end});
    at = end;
  }
  return all;
}

std::size_t find_word(std::string_view code, std::string_view word, std::size_t from) {
  for (std::size_t at = code.find(word, from); at != std::string_view::npos; at = code.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_in_name(code[at - 1])) && (end == code.size() || !is_in_name(code[end]))) return at;
  }
  return std::string_view::npos;
}

std::size_t begin_of_line(const std::string& code, int line) {
  std::size_t at = 0;
  for (int n = 1; n < line && at < code.size(); ++n) at = std::min(code.find('\n', at), code.size() - 1) + 1;
  return at;
}

int line_at(const std::string& code, std::size_t at) {
  const auto end = code.begin() + static_cast<std::ptrdiff_t>(std::min(at, code.size()));
  return static_cast<int>(1 + std::count(code.begin(), end, '\n'));
}

std::size_t behind_bracket(const std::string& code, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < code.size(); ++at) {
    depth += code[at] == '(' || code[at] == '{' ? 1 : code[at] == ')' || code[at] == '}' ? -1 : 0;
    if (depth == 0) return at + 1;
  }
  return code.size();
}

}  // namespace simtlab
