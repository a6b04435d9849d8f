#include "judge/decide/branch_lines.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <string>
#include <string_view>
#include <system_error>

#include "judge/decide/blanked_code.h"

namespace simtlab {
namespace {

constexpr std::size_t most_rounds = 4;  // of what depends on the thread by what depends on it

bool has_word_of(std::string_view code, const std::set<std::string>& words) {
  return std::ranges::any_of(words,
                             [&](const std::string& w) { return find_word(code, w, 0) != std::string_view::npos; });
}

// The names that the function sets from threadIdx, or from such a name.
std::set<std::string> names_of_threads(const std::string& body) {
  std::set<std::string> names{"threadIdx", "thread_rank"};
  for (std::size_t round = 0; round < most_rounds; ++round) {
    const std::size_t before = names.size();
    for (std::size_t at = body.find('='); at != std::string::npos; at = body.find('=', at + 1)) {
      if (at == 0 || at + 1 >= body.size() || body[at + 1] == '=' ||
          std::string_view("=!<>+-*/%&|^").find(body[at - 1]) != std::string_view::npos)
        continue;
      const std::size_t last = body.find_last_not_of(" \n\t", at - 1);
      if (last == std::string::npos || !is_in_name(body[last])) continue;
      std::size_t begin = last + 1;
      while (begin > 0 && is_in_name(body[begin - 1])) --begin;
      const std::string_view value = std::string_view(body).substr(at + 1, body.find_first_of(";,{}", at) - at - 1);
      if (has_word_of(value, names)) names.insert(body.substr(begin, last + 1 - begin));
    }
    if (names.size() == before) break;
  }
  return names;
}

// `t < 64`, `threadIdx.x >= 32`: threads of one warp agree.
bool is_of_whole_warps(const std::string& condition) {
  std::string_view rest = condition;
  const auto skip_while = [&](const auto& is_skipped) {
    const std::size_t length = static_cast<std::size_t>(std::ranges::find_if_not(rest, is_skipped) - rest.begin());
    const std::string_view skipped = rest.substr(0, length);
    rest.remove_prefix(length);
    return skipped;
  };
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\n'; };
  skip_while(is_blank);
  const std::string_view name = skip_while([](char c) { return is_in_name(c) || c == '.'; });
  skip_while(is_blank);
  if (name.empty() || is_digit(name.front()) || !(rest.starts_with(">=") || rest.starts_with("<"))) return false;
  rest.remove_prefix(rest.starts_with(">=") ? 2 : 1);
  skip_while(is_blank);
  const std::string_view digits = skip_while(is_digit);
  if (rest.starts_with("u") || rest.starts_with("U")) rest.remove_prefix(1);
  skip_while(is_blank);
  unsigned bound = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), bound);
  return rest.empty() && !digits.empty() && error == std::errc() && bound % 32 == 0;
}

// The end of the statement that begins at `at`.
std::size_t end_of_statement(const std::string& code, std::size_t at) {
  at = code.find_first_not_of(" \n\t", at);
  if (at == std::string::npos) return code.size();
  if (code[at] == '{') return behind_bracket(code, at);
  for (const std::string_view word : {"if", "for", "while"})
    if (find_word(code, word, at) == at) {
      const std::size_t open = code.find('(', at);
      if (open == std::string::npos) return code.size();
      std::size_t end = end_of_statement(code, behind_bracket(code, open));
      if (word != "if") return end;
      const std::size_t next = code.find_first_not_of(" \n\t", end);
      return next != std::string::npos && find_word(code, "else", next) == next ? end_of_statement(code, next + 4)
                                                                                : end;
    }
  int depth = 0;
  for (; at < code.size(); ++at) {
    depth += code[at] == '(' || code[at] == '{' ? 1 : code[at] == ')' || code[at] == '}' ? -1 : 0;
    if (depth == 0 && code[at] == ';') return at + 1;
  }
  return code.size();
}

// Of a loop's head the part that is asked before each pass.
std::string asked_in(std::string_view word, const std::string& head) {
  if (word != "for") return head;
  const std::size_t first = head.find(';');
  if (first == std::string::npos) return "";
  return head.substr(first + 1, head.find(';', first + 1) - first - 1);
}

std::size_t place_of_call(const std::string& code, int line) {
  const std::size_t begin = begin_of_line(code, line);
  const std::size_t end = std::min(code.find('\n', begin), code.size());
  for (const std::string_view call : {"_sync(", "__syncwarp", "__syncthreads", "sync("})
    if (const std::size_t at = code.find(call, begin); at < end) return at;
  return std::min(code.find_last_not_of(" \t", end == 0 ? 0 : end - 1), code.size());
}

}  // namespace

std::vector<int> branch_lines(const finding& f, const source_text& source) {
  const bool of_lanes = f.rule == "inactive-lane";
  if ((!of_lanes && f.rule != "divergent-barrier") || !source.is(f.first.file) || f.first.line <= 0) return {};
  const std::string code = code_of(source);
  const std::size_t call = place_of_call(code, f.first.line);
  std::vector<int> lines;
  for (const stretch& body : bodies(code)) {
    if (call < body.begin || call >= body.end) continue;
    const std::set<std::string> names = names_of_threads(code.substr(body.begin, body.end - body.begin));
    for (const std::string_view word : {"if", "for", "while"})
      for (std::size_t at = find_word(code, word, body.begin); at < call; at = find_word(code, word, at + 1)) {
        const std::size_t open = code.find('(', at);
        if (open == std::string::npos || open > call) break;
        const std::size_t behind = behind_bracket(code, open);
        if (call < behind || call >= end_of_statement(code, at)) continue;
        const std::string condition = asked_in(word, code.substr(open + 1, behind - open - 2));
        if (has_word_of(condition, names) && !(of_lanes && is_of_whole_warps(condition)))
          lines.push_back(line_at(code, at));
      }
  }
  std::ranges::sort(lines, std::greater<>());
  const auto repeated = std::ranges::unique(lines);
  lines.erase(repeated.begin(), repeated.end());
  return lines;
}

std::vector<int> returns_that_part_a_warp(const std::vector<int>& lines, const source_text& source) {
  const std::string code = code_of(source);
  std::vector<int> kept;
  for (const int line : lines) {
    const std::size_t begin = begin_of_line(code, line);
    const std::size_t at = find_word(code, "return", begin), guard = code.rfind("if", at);
    const std::size_t open = guard == std::string::npos ? guard : code.find('(', guard);
    if (open < at) {
      const std::size_t behind = behind_bracket(code, open);
      const bool is_its_own = code.find_first_not_of(" \n\t{", behind) == at;
      if (is_its_own && is_of_whole_warps(code.substr(open + 1, behind - open - 2))) continue;
    }
    kept.push_back(line);
  }
  return kept;
}

}  // namespace simtlab
