#include "judge/decide/finding_context.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "judge/decide/blanked_code.h"
#include "judge/decide/mismatch_pattern.h"
#include "judge/decide/product_check.h"

namespace simtlab {
namespace {

constexpr std::size_t most_returns = 3;

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
    const int line = line_at(code, at);
    if (lines.empty() || lines.back() != line) lines.push_back(line);
  }
  return lines.size() > most_returns ? std::vector<int>() : lines;
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

// "this access, at index 15, ends": what the emulator says of the access.
std::optional<std::uint64_t> index_in(const std::string& message) {
  constexpr std::string_view mark = ", at index ";
  const std::size_t at = message.find(mark);
  if (at == std::string::npos) return std::nullopt;
  std::uint64_t index = 0;
  const char* const begin = message.data() + at + mark.size();
  const auto [end, error] = std::from_chars(begin, message.data() + message.size(), index);
  return error == std::errc{} && end != begin ? std::optional(index) : std::nullopt;
}

// The one of the case's sizes that, taken for the length of a row, makes this index of the row or the column that the thread has by
// custom (x along the columns, y along the rows), and of a column or a row that the matrix has; 0 where none or several do.
std::size_t width_used(const finding& f, const test_case& in, const shape& extents, bool is_input,
                       const std::vector<launch_counters>& launches) {
  const auto launch = std::ranges::find(launches, f.kernel, &launch_counters::kernel);
  const std::optional<std::uint64_t> index = index_in(f.message);
  if (launch == launches.end() || !index || !f.first.thread || !f.first.block) return 0;
  const auto along = [&](std::size_t d) { return (*f.first.block)[d] * launch->block[d] + (*f.first.thread)[d]; };
  const std::uint64_t row = along(1), col = along(0), rows = extents[0], cols = extents[1];
  std::set<std::size_t> fitting;
  for (const named_size& s : in.all_sizes()) {
    const auto width = static_cast<std::size_t>(std::max(s.value, 0));
    if (width == 0 || width == cols) continue;
    const bool is_of_row = row < rows && *index >= row * width && *index - row * width < cols;
    const bool is_of_col = col < cols && *index >= col && (*index - col) % width == 0 && (*index - col) / width < rows;
    if (is_input ? is_of_row || is_of_col : row < rows && col < cols && *index == row * width + col)
      fitting.insert(width);
  }
  return fitting.size() == 1 ? *fitting.begin() : 0;
}

}  // namespace

void add_shape(finding& f, const lab& of, const test_case& in, const std::vector<argument_value>& given,
               const std::vector<launch_counters>& launches) {
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
  const std::size_t used =
      by_columns ? 0 : width_used(f, in, extents, argument->role == argument_role::input, launches);
  if (used != 0) {
    f.message += fmt::format(
        " {0} has {1}. The width used for {0} seems to be {2}{3}, and {0}'s rows are {4}{5} long: check what the row "
        "is multiplied by.",
        f.variable, stored, used, name_of_size(in.all_sizes(), used), extents[1],
        names[1].empty() ? "" : " (" + names[1] + ")");
    return;
  }
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
