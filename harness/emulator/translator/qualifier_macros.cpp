#include "translator/qualifier_macros.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "translator/source_rewriter.h"

namespace simtlab::emulator {
namespace {

constexpr std::size_t longest_growth = 1 << 20;  ///< bytes; macros in macros could grow without end

bool is_qualifier(std::string_view word) {
  constexpr std::array<std::string_view, 6> all{"__device__",  "__constant__", "__shared__",
                                                "__managed__", "__global__",   "__host__"};
  return std::find(all.begin(), all.end(), word) != all.end();
}

/// `<<<grid, block>>>` or a part of it, whose kernel stands before the macro's use.
bool begins_with_chevrons(const lexed_source& source, const token_list& macro) {
  if (macro.tokens.size() < 3) return false;
  const auto is_all = [&](std::string_view sign) {
    return std::all_of(macro.tokens.begin(), macro.tokens.begin() + 3,
                       [&](const token& t) { return source.spelling(t) == sign; });
  };
  return is_all("<") || is_all(">");
}

bool holds_qualifier(const lexed_source& source, const token_list& macro) {
  bool found = begins_with_chevrons(source, macro);
  for (const token& t : macro.tokens) {
    const std::string_view word = source.spelling(t);
    if (word == macro.name || word == "#" || word == "{") return false;
    found = found || is_qualifier(word);
  }
  return found;
}

struct definition {
  const token_list* macro;
  bool qualifies;
};
/// Of each name its definitions in the order of the text.
using definitions = std::unordered_map<std::string_view, std::vector<definition>>;

/// The macro of this name at `position`, if it holds a qualifier there.
const token_list* qualifying_at(const definitions& all, std::string_view name, std::uint32_t position) {
  const auto found = all.find(name);
  if (found == all.end()) return nullptr;
  const token_list* last = nullptr;
  for (const definition& one : found->second)
    if (one.macro->defined_at < position) last = one.qualifies ? one.macro : nullptr;
  return last;
}

/// Arguments of the call whose parenthesis is token `open`.
std::vector<std::string> arguments_of(const rewrite_context& context, std::size_t open, std::size_t close) {
  std::vector<std::string> found;
  std::size_t begin = open + 1;
  for (std::size_t i = open + 1; i <= close; ++i) {
    if (context.walk.is(i, "(") && context.walk.closing(i) < close) i = context.walk.closing(i);
    if (i != close && !context.walk.is(i, ",")) continue;
    found.push_back(begin < i ? context.spelled(begin, i - 1) : "");
    begin = i + 1;
  }
  return found;
}

/// What the macro stands for with these arguments.
std::string replacement(const lexed_source& source, const token_list& macro,
                        const std::vector<std::string>& arguments) {
  std::string text;
  const token* before = nullptr;
  for (const token& t : macro.tokens) {
    if (before != nullptr && before->end != t.begin) text += ' ';
    before = &t;
    const std::string_view word = source.spelling(t);
    const auto parameter = std::find(macro.parameters.begin(), macro.parameters.end(), word);
    const auto number = static_cast<std::size_t>(parameter - macro.parameters.begin());
    if (parameter == macro.parameters.end())
      text += word;
    else if (word != "__VA_ARGS__")
      text += number < arguments.size() ? arguments[number] : "";
    else
      for (std::size_t i = number; i < arguments.size(); ++i) text += (i == number ? "" : ", ") + arguments[i];
  }
  return text;
}

}  // namespace

std::optional<std::string> with_qualifiers_spelled_out(const lexed_source& source) {
  definitions all;
  bool any = false;
  for (const token_list& macro : source.macros) {
    const bool qualifies = holds_qualifier(source, macro);
    all[macro.name].push_back({&macro, qualifies});
    any = any || qualifies;
  }
  if (!any) return std::nullopt;

  edit_list edits;
  std::size_t growth = 0;
  const auto expand = [&](const token_list& list, bool in_macro) {
    const token_walk walk(source, list);
    const rewrite_context context{source, walk, edits, in_macro, list.parameters};
    for (std::size_t i = 0; i < walk.size() && growth < longest_growth; ++i) {
      if (!walk.is_identifier(i)) continue;
      const token_list* const macro = qualifying_at(all, walk.text(i), walk.at(i).begin);
      if (macro == nullptr) continue;
      std::size_t last = i;
      std::vector<std::string> arguments;
      if (!macro->parameters.empty()) {
        if (!walk.is(i + 1, "(") || walk.closing(i + 1) == token_walk::none) continue;
        last = walk.closing(i + 1);
        arguments = arguments_of(context, i + 1, last);
      }
      std::string text = replacement(source, *macro, arguments);
      const bool more_on_line = last + 1 < walk.size() && !in_macro && !walk.at(last + 1).first_on_line;
      const std::uint32_t end = more_on_line ? walk.at(last + 1).begin : walk.at(last).end;
      if (more_on_line) text += context.back_to(last + 1);
      growth += text.size();
      edits.replace(walk.at(i).begin, end, std::move(text));
      i = last;
    }
  };
  expand(source.code, false);
  for (const token_list& macro : source.macros) expand(macro, true);
  if (edits.empty() || growth >= longest_growth) return std::nullopt;
  return edits.apply(source.text);
}

}  // namespace simtlab::emulator
