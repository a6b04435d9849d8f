#include "judge/render/own_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "judge/decide/comparison.h"
#include "judge/decide/product_check.h"
#include "judge/wording.h"

namespace simtlab {
namespace {

std::string arrays_text(const lab& of, const case_outcome& run) {
  std::string text;
  for (std::size_t i = 0; i < of.arguments.size() && i < run.given.size(); ++i) {
    const argument_description& a = of.arguments[i];
    const bool written = is_written(a.role);
    if (!is_array(a.role) || (written && i >= run.returned.size())) continue;
    const std::vector<std::byte>& bytes = written ? run.returned[i] : run.given[i].bytes;
    const shape& extents = run.given[i].extents;
    const std::size_t scalar_bytes = a.element_bytes / a.components;
    const std::size_t count = bytes.size() / scalar_bytes;
    const std::size_t row = std::max<std::size_t>(1, (extents.empty() ? count : extents.back()) * a.components);
    const bool by_columns = is_stored_by_columns(of, a.name);
    std::vector<std::string> words;
    std::size_t width = 0;
    for (std::size_t k = 0; k < count; ++k) {
      const bool integer = a.scalar != scalar_type::f32 && a.scalar != scalar_type::f64;
      words.push_back(number_text(number_at(bytes.data() + k * scalar_bytes, a.scalar), integer));
      width = std::max(width, words.back().size());
    }
    text += fmt::format("{} ({}){}\n", a.name, fmt::join(extents, " x "),
                        written      ? ", written"
                        : by_columns ? ", stored column after column"
                                     : "");
    for (std::size_t k = 0; k < count; ++k)
      text += fmt::format("{}{:>{}}{}", k % row == 0 ? "  " : " ",
                          words[by_columns ? k % row * (count / row) + k / row : k], width,
                          k % row == row - 1 || k + 1 == count ? "\n" : "");
  }
  return text;
}

}  // namespace

std::string own_run_text(const lab& of, const case_outcome& run, bool arrays, const text_style& style,
                         std::size_t width) {
  std::string text = run.printed;
  if (!text.empty() && text.back() != '\n') text += '\n';
  if (arrays) text += arrays_text(of, run);
  for (const finding& f : run.measured.findings)
    for (const std::string& line : wrapped(f.rule + ": " + describe(f), width)) text += line + "\n";
  const std::string ended = std::string(words_for(run.judged)) + (run.message.empty() ? "" : ": " + run.message);
  for (const std::string& line : wrapped(ended, width))
    text += style(is_right(run.judged) ? colour::green : colour::red, line) + "\n";
  return text;
}

}  // namespace simtlab
