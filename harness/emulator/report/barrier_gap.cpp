#include "report/barrier_gap.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>
#include <vector>

#include "core/characters.h"

namespace simtlab::emulator {
namespace {

struct open_brace {
  int line = 0;
  std::string counter;  // of the loop whose body it begins
};

/// Of "for (int phase = 0; …" the name before the first sign of assignment.
std::string counter_of(std::string_view head) {
  const std::size_t assigned = head.find('='), end = head.find_first_of(";:");
  if (assigned == std::string_view::npos || assigned > end) return "";
  std::size_t last = assigned;
  while (last > 0 && std::isspace(static_cast<unsigned char>(head[last - 1])) != 0) --last;
  std::size_t first = last;
  while (first > 0 && is_in_name(head[first - 1])) --first;
  return std::string(head.substr(first, last - first));
}

std::string text_of_file(const std::string& path) {
  constexpr std::uintmax_t largest = 1 << 20;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error) || std::filesystem::file_size(path, error) > largest) return "";
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace

std::string loop_counter(const std::string& source, int low, int high) {
  std::vector<open_brace> open;
  std::string pending;  // counter of the loop whose body has not begun
  bool follows_loop = false;
  int line = 1, round_brackets = 0;
  for (std::size_t i = 0; i < source.size(); ++i) {
    const char c = source[i];
    const std::string_view rest = std::string_view(source).substr(i);
    if (c == '\n') ++line;
    if (rest.starts_with("//")) {
      i = std::min(source.find('\n', i), source.size()) - 1;
    } else if (rest.starts_with("for") && (i == 0 || !is_in_name(source[i - 1])) && rest.size() > 3 &&
               (rest[3] == ' ' || rest[3] == '(')) {
      const std::size_t bracket = rest.find('(');
      if (bracket == std::string_view::npos) continue;
      pending = counter_of(rest.substr(bracket + 1));
      follows_loop = true;
    } else if (c == '(') {
      ++round_brackets;
    } else if (c == ')') {
      --round_brackets;
    } else if (c == '{') {
      open.push_back({line, follows_loop ? pending : ""});
      follows_loop = false;
    } else if (c == ';' && round_brackets == 0) {
      follows_loop = false;
    } else if (c == '}' && !open.empty()) {
      const open_brace closed = open.back();
      open.pop_back();
      if (closed.line <= low && line >= high && !closed.counter.empty()) return closed.counter;
    }
  }
  return "";
}

std::string barrier_gap_text(const source_line& one, const source_line& other, const source_line& barrier) {
  const auto [low, high] = std::minmax(one, other);
  if (barrier.line == 0) return "there is no __syncthreads() between them. ";
  const auto number = [](const source_line& l) { return "line " + std::to_string(l.line); };
  const std::string has = "the __syncthreads() of " + number(barrier) + " does not come between them: ";
  const bool same_file = one.file == other.file && one.file == barrier.file;
  if (same_file && low.line < barrier.line && high.line > barrier.line) {
    const std::string counter = loop_counter(text_of_file(one.file), low.line, high.line);
    return has + "it is missing between " + number(high) + " of one pass of the loop" +
           (counter.empty() ? "" : " over " + counter) + " and " + number(low) + " of the next. ";
  }
  if (same_file && low.line == high.line)
    return has + "both are at " + number(low) + ", and it comes before or behind. ";
  return has +
         (same_file ? "it is missing between " + number(low) + " and " + number(high) + ". " : "it lies elsewhere. ");
}

}  // namespace simtlab::emulator
