#include "translator/used_results.h"

#include <algorithm>
#include <cstddef>

#include "translator/take_line.h"

namespace simtlab::emulator {
namespace {

constexpr std::string_view function = "simtlab_atomic", directive = ".set", marker = "simtlab_result_used";

/// The words of a line, which tabs, blanks and commas part.
std::string_view next_word(std::string_view& line) {
  constexpr std::string_view between = " \t,";
  line.remove_prefix(std::min(line.find_first_not_of(between), line.size()));
  const std::string_view word = line.substr(0, line.find_first_of(between));
  line.remove_prefix(word.size());
  return word;
}

bool is_marker(std::string_view line) { return next_word(line) == directive && next_word(line) == marker; }

bool is_call(std::string_view line) {
  const std::string_view word = next_word(line);
  return (word == "call" || word == "bl") && next_word(line) == function;
}

}  // namespace

std::string mark_used_results(std::string_view text) {
  if (text.find(marker) == std::string_view::npos) return std::string(text);
  std::string out;
  out.reserve(text.size());
  std::size_t behind_call = std::string::npos;  // the last call, in `out`
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    if (is_marker(line)) {
      if (behind_call != std::string::npos) out.insert(behind_call, "_used");
      behind_call = std::string::npos;
      continue;
    }
    out += line;
    if (is_call(line)) behind_call = out.rfind(function) + function.size();
    out += '\n';
  }
  return out;
}

}  // namespace simtlab::emulator
