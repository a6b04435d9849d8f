#include "judge/decide/finding_context.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <string_view>

#include "judge/decide/mismatch_pattern.h"
#include "judge/decide/product_check.h"

namespace simtlab {
namespace {

constexpr std::size_t most_returns = 3;

// The source with comments, strings and characters blanked out, so that braces and words in it are code.
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

struct stretch {
  std::size_t begin = 0, end = 0;
};

// The bodies of functions: braces that open behind a parameter list, outside of another body.
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

bool is_in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Where the whole word stands next, from `from` on; npos where it does not.
std::size_t find_word(std::string_view code, std::string_view word, std::size_t from) {
  for (std::size_t at = code.find(word, from); at != std::string_view::npos; at = code.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_in_name(code[at - 1])) && (end == code.size() || !is_in_name(code[end]))) return at;
  }
  return std::string_view::npos;
}

// Behind the parenthesis that opens the parameter list of the first kernel of that name; npos where there is none.
std::size_t parameters_of(std::string_view code, std::string_view kernel) {
  constexpr std::string_view blanks = " \t\n\v\f\r", qualifier = "__global__";
  for (std::size_t at = find_word(code, qualifier, 0); at != std::string_view::npos;
       at = find_word(code, qualifier, at + 1)) {
    const std::string_view head = code.substr(0, code.find_first_of(";{}", at));
    for (std::size_t name = find_word(head, kernel, at); name != std::string_view::npos;
         name = find_word(head, kernel, name + 1)) {
      const std::size_t next = head.find_first_not_of(blanks, name + kernel.size());
      if (next != std::string_view::npos && head[next] == '(') return next + 1;
    }
  }
  return std::string_view::npos;
}

std::vector<int> returns_between(const std::string& code, std::size_t begin, std::size_t end) {
  std::vector<int> lines;
  for (std::size_t at = begin; (at = find_word(code, "return", at)) < end; ++at) {
    const auto line =
        static_cast<int>(1 + std::count(code.begin(), code.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    if (lines.empty() || lines.back() != line) lines.push_back(line);
  }
  return lines.size() > most_returns ? std::vector<int>() : lines;
}

// The end of the text where there is no such line.
std::size_t begin_of_line(const std::string& code, int line) {
  std::size_t at = 0;
  for (int n = 1; n < line && at < code.size(); ++n) at = std::min(code.find('\n', at), code.size() - 1) + 1;
  return at;
}

std::string counted(std::size_t n, const std::string& name, const std::string& thing) {
  return fmt::format("{}{} {}{}", n, name.empty() ? "" : " (" + name + ")", thing, n == 1 ? "" : "s");
}

// Which size each extent of an argument is, as far as the cases tell; "" where it is none. In a case where sizes are equal,
// another one tells that has all of them different.
std::vector<std::string> names_of_extents(const lab& of, const test_case& in, std::size_t argument,
                                          const shape& extents) {
  std::vector<std::string> names;
  for (const std::size_t e : extents)
    names.push_back(name_of_size(in.all_sizes(), e).empty() ? "" : length_name(in.all_sizes(), e));
  if (std::ranges::find(names, "") == names.end()) return names;
  for (const test_case& c : of.cases) {
    std::set<int> different;
    if (!std::ranges::all_of(c.all_sizes(), [&](const named_size& s) { return different.insert(s.value).second; }))
      continue;
    random_source random(0, c.name());
    const shape other = of.make_arguments(c, random)[argument].extents;
    for (std::size_t d = 0; d < std::min(extents.size(), other.size()); ++d) {
      if (!names[d].empty() || name_of_size(c.all_sizes(), other[d]).empty()) continue;
      const std::string name = length_name(c.all_sizes(), other[d]);
      if (static_cast<std::size_t>(in[name]) == extents[d]) names[d] = name;
    }
    break;
  }
  return names;
}

}  // namespace

void add_shape(finding& f, const lab& of, const test_case& in, const std::vector<argument_value>& given) {
  if (f.rule != "out-of-bounds" || f.kernel.empty() || of.kind != entry_kind::device) return;
  const auto argument = std::ranges::find(of.arguments, f.variable, &argument_description::name);
  if (argument == of.arguments.end()) return;
  const auto position = static_cast<std::size_t>(argument - of.arguments.begin());
  const shape& extents = given[position].extents;
  if (extents.size() != 2) return;
  const std::vector<std::string> names = names_of_extents(of, in, position, extents);
  const std::string rows = names[0].empty() ? std::to_string(extents[0]) : names[0];
  const std::string cols = names[1].empty() ? std::to_string(extents[1]) : names[1];
  const bool by_columns = is_stored_by_columns(of, f.variable);
  if (const std::size_t advice = f.message.find(" Compare the index"); advice != std::string::npos)
    f.message.erase(advice);
  const std::string stored =
      by_columns ? fmt::format("{} of {}, stored one after the other: the index is column * {} + row",
                               counted(extents[1], names[1], "column"), counted(extents[0], names[0], "element"), rows)
                 : fmt::format("{} of {}: the index is row * {} + column", counted(extents[0], names[0], "row"),
                               counted(extents[1], names[1], "element"), cols);
  f.message += fmt::format(
      " {} has {}; compare row and column each with its own limit, row < {} and column < {}. A {} that is too large "
      "lands in the next {}.",
      f.variable, stored, rows, cols, by_columns ? "row" : "column", by_columns ? "column" : "row");
}

std::vector<std::string> device_variables(const source_text& source) {
  const std::string code = code_of(source);
  std::vector<std::string> names;
  for (const std::string_view qualifier : {"__device__", "__managed__"})
    for (std::size_t at = find_word(code, qualifier, 0); at != std::string::npos;
         at = find_word(code, qualifier, at + 1)) {
      const std::size_t end = code.find_first_of(";={([", at);
      if (end == std::string::npos || code[end] == '(') continue;  // a function
      const std::size_t last = code.find_last_not_of(" \n", end - 1);
      std::size_t first = last + 1;
      while (first > at && is_in_name(code[first - 1])) --first;
      const std::string name = code.substr(first, last + 1 - first);
      if (!name.empty() && std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
  return names;
}

std::vector<int> return_lines(const finding& f, const source_text& source) {
  const bool left = f.message.find("returned from the kernel") != std::string::npos;
  if ((!left && f.rule != "leak") || !source.is(f.first.file)) return {};
  const std::string code = code_of(source);
  if (left) {
    std::string kernel = f.kernel.substr(0, f.kernel.find('<'));
    if (const std::size_t scope = kernel.rfind("::"); scope != std::string::npos) kernel.erase(0, scope + 2);
    if (kernel.empty() || !std::ranges::all_of(kernel, is_in_name)) return {};
    const std::size_t from = parameters_of(code, kernel);
    for (const stretch& body : bodies(code))
      if (body.begin >= from) return returns_between(code, body.begin, body.end);
    return {};
  }
  const std::size_t allocation = begin_of_line(code, f.first.line);
  for (const stretch& body : bodies(code)) {
    if (allocation < body.begin || allocation > body.end) continue;
    const std::size_t behind = std::min(code.find('\n', allocation), body.end);
    std::vector<int> lines = returns_between(code, behind, body.end);
    if (!lines.empty()) lines.pop_back();  // the one at the end, which the frees stand before
    return lines;
  }
  return {};
}

}  // namespace simtlab
