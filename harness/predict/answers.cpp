#include "predict/answers.h"

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <string_view>

namespace simtlab::predict {
namespace {

constexpr std::size_t most_lines = 1000, longest_line = 1000;

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.remove_suffix(1);
  return text;
}

/// The line up to a `#` that stands in no string.
std::string_view without_comment(std::string_view line) {
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') quoted = !quoted;
    if (line[i] == '#' && !quoted) return line.substr(0, i);
  }
  return line;
}

bool is_string(std::string_view value) {
  return value.size() >= 2 && value.front() == '"' && value.back() == '"' &&
         value.substr(1, value.size() - 2).find('"') == std::string_view::npos;
}

bool number_from(std::string_view value, double& number) {
  const std::string text(value);
  if (text.empty() || (std::isdigit(static_cast<unsigned char>(text.front())) == 0 && text.front() != '-'))
    return false;
  char* end = nullptr;
  number = std::strtod(text.c_str(), &end);
  return *end == '\0' && std::isfinite(number);
}

}  // namespace

std::string advice_on(const std::string& student) {
  const std::string_view name = trimmed(student);
  if (name.empty()) return "write your login into predict.toml, student = \"...\", to get yours";
  const std::size_t at = name.find('@');
  if (at != std::string_view::npos && at > 0)
    return "this is an address: your login is what stands before the @, `" + std::string(name.substr(0, at)) + "`";
  if (name.find_first_of(" \t,;@") != std::string_view::npos)
    return "this does not look like a login: expected one word, what stands before the @ of your course address";
  return "";
}

answers read_answers(std::istream& from, const std::string& source) {
  answers found;
  std::string line;
  for (std::size_t at = 1; std::getline(from, line); ++at) {
    const auto refuse = [&](const std::string& sentence) {
      std::string where = source;
      where.append(":").append(std::to_string(at)).append(": ").append(sentence);
      throw answers_error(where);
    };
    if (at > most_lines || line.size() > longest_line) refuse("this file is much longer than its questions");
    const std::string_view text = trimmed(without_comment(line));
    if (text.empty()) continue;
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) refuse("expected `question = number`, found `" + std::string(text) + "`");
    const std::string name(trimmed(text.substr(0, equals)));
    const std::string_view value = trimmed(text.substr(equals + 1));
    if (name == "student") {
      if (!is_string(value)) refuse("expected student = \"your name\", in quotation marks");
      found.student = value.substr(1, value.size() - 2);
      continue;
    }
    if (found.given.contains(name)) refuse("`" + name + "` is answered twice");
    double number = 0;
    // Quotation marks are what the name needs, and what an open answer has: a number may stay between them.
    const std::string_view bare = is_string(value) ? trimmed(value.substr(1, value.size() - 2)) : value;
    if (number_from(bare, number))
      found.given[name] = number;
    else if (!bare.empty() || value.empty())
      refuse("expected a number, such as `" + name + " = 4`, found `" + std::string(value) + "`");
  }
  return found;
}

}  // namespace simtlab::predict
