#include "driver/inlined_calls.h"

#include <charconv>
#include <cstdint>
#include <string>

#include "translator/take_line.h"

namespace simtlab::emulator {
namespace {

constexpr std::uint64_t instruction_bytes = 16;  // since compute capability 7.0

struct text_place {
  std::string path;
  int line = 0;
};

template <class Number>
Number number_in(std::string_view text, int base = 10) {
  Number number{};
  std::from_chars(text.data(), text.data() + text.size(), number, base);
  return number;
}

/// Behind `key`, up to a quotation mark or a comma; `line` then goes on behind it.
std::string taken(std::string_view& line, std::string_view key, char end) {
  const std::size_t at = line.find(key);
  if (at == line.npos) return {};
  line.remove_prefix(at + key.size());
  std::string value(line.substr(0, line.find(end)));
  return value;
}

/// `//## File "a.hpp", line 107 inlined at "b.cu", line 21`: where the text is, and where that was called.
std::pair<text_place, text_place> places_in(std::string_view line) {
  std::pair<text_place, text_place> found;
  found.first.path = taken(line, "File \"", '"');
  found.first.line = number_in<int>(taken(line, "line ", ' '));
  found.second.path = taken(line, "inlined at \"", '"');
  if (!found.second.path.empty()) found.second.line = number_in<int>(taken(line, "line ", ' '));
  return found;
}

}  // namespace

std::string inlined_calls(std::string_view listing, const std::function<bool(const std::string&)>& is_foreign,
                          bool own) {
  constexpr std::string_view section = ".text.", comment = "//## ", offset = "/*";
  std::string result, function;
  text_place call;  // of the present instructions; without a path: nothing is told of them
  bool is_looked_for = false, in_comments = false;
  while (!listing.empty()) {
    std::string_view line = take_line(listing);
    if (line.starts_with(section) && line.ends_with(':')) {
      function = line.substr(section.size(), line.size() - section.size() - 1);
      call = {};
      continue;
    }
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (line.starts_with(comment)) {
      // The first comment is the innermost function's; each tells who called it.
      const auto [here, from] = places_in(line);
      if (!in_comments) {
        is_looked_for = is_foreign(here.path);
        call = own && !is_looked_for ? here : text_place{};
      }
      in_comments = true;
      if (is_looked_for && !from.path.empty() && !is_foreign(from.path)) call = from, is_looked_for = false;
    } else if (line.starts_with(offset)) {
      in_comments = false;
      if (call.path.empty()) continue;
      const auto at = number_in<std::uint64_t>(line.substr(offset.size()), 16);
      result += function + " " + std::to_string(at / instruction_bytes) + " " + std::to_string(call.line) + " " +
                call.path + "\n";
    }
  }
  return result;
}

}  // namespace simtlab::emulator
