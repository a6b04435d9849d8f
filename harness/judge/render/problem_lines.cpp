#include "judge/render/problem_lines.h"

#include <fmt/format.h>

#include <cstdlib>
#include <string_view>

#include "judge/wording.h"

namespace simtlab {
namespace {

/// "thread (31,0,0) of block (0,0,0) reads tile[32]"
std::string who(const finding_place& p) {
  if (!p.thread || !p.block) return p.action;
  return fmt::format("thread {} of block {} {}", coordinates_text(*p.thread), coordinates_text(*p.block), p.action);
}

bool is_known(const finding_place& p) { return !p.file.empty() && p.line > 0; }

const char* word_for(severity s) {
  return s == severity::error ? "error" : s == severity::warning ? "warning" : "note";
}

std::string first_sentence(const std::string& text) {
  const std::size_t end = text.find(". ");
  std::string sentence = text.substr(0, end);
  for (char& c : sentence)
    if (c == '\n') c = ' ';
  while (sentence.ends_with('.')) sentence.pop_back();
  return sentence;
}

std::string line_of(const finding& f, const finding_place& here, const finding_place* other) {
  std::string text = fmt::format("{}:{}: {}: {}", here.file, here.line, word_for(f.level), f.rule);
  if (!f.variable.empty()) text += " of " + f.variable;
  const std::string acts = who(here);
  text += ": " + (acts.empty() ? first_sentence(f.message) : acts);
  if (other != nullptr)
    text += fmt::format("; {}:{}{}{}", other->file, other->line, who(*other).empty() ? "" : ": ", who(*other));
  else if (!acts.empty())
    text += ". " + first_sentence(f.message);
  return text + "\n";
}

}  // namespace

bool problem_lines_are_asked_for() {
  const char* text = std::getenv("SIMTLAB_PROBLEM_LINES");
  return text != nullptr && *text != '\0' && std::string_view(text) != "0";
}

std::string problem_lines(const std::vector<finding>& findings) {
  std::string lines;
  for (const finding& f : findings) {
    const bool both = f.second && is_known(*f.second);
    if (is_known(f.first)) lines += line_of(f, f.first, both ? &*f.second : nullptr);
    if (both && (f.second->file != f.first.file || f.second->line != f.first.line))
      lines += line_of(f, *f.second, is_known(f.first) ? &f.first : nullptr);
  }
  return lines;
}

}  // namespace simtlab
