#include "translator/spelled_out_macros.h"

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

/// Behind the text of the `asm` at token `i`, whose text begins at `begin`; `begin` itself where no text is.
std::size_t end_of_asm_text(const token_walk& walk, std::size_t i, std::size_t& begin) {
  begin = i + 1;
  while (walk.is_identifier(begin)) ++begin;  // volatile
  if (!walk.is(begin, "(")) return begin;
  const std::size_t close = std::min(walk.closing(begin), walk.size());
  std::size_t end = ++begin;
  while (end < close && !walk.is(end, ":") && !walk.is(end, "::")) ++end;
  return end;
}
/// Of each token whether it stands in the text of an `asm` that holds more than string literals.
std::vector<bool> built_asm_texts(const token_walk& walk) {
  std::vector<bool> found;
  for (std::size_t i = 0; i < walk.size(); ++i) {
    if (!walk.is_asm(i)) continue;
    std::size_t begin = 0;
    const std::size_t end = end_of_asm_text(walk, i, begin);
    bool is_built = false;
    for (std::size_t k = begin; k < end; ++k) is_built = is_built || walk.at(k).kind != token_kind::string;
    if (!is_built) continue;
    found.resize(walk.size());
    for (std::size_t k = begin; k < end; ++k) found[k] = true;
  }
  return found;
}
bool holds_built_asm(const lexed_source& source, const token_list& macro) {
  const token_walk walk(source, macro);
  for (std::size_t i = 0; i < walk.size(); ++i)
    if (walk.is(i, macro.name) || walk.is(i, "__VA_OPT__")) return false;
  return !built_asm_texts(walk).empty();
}

struct definition {
  const token_list* macro;
  bool is_spelled_out;
};
/// Of each name its definitions in the order of the text.
using definitions = std::unordered_map<std::string_view, std::vector<definition>>;

/// The macro of this name at `position`, if it is to be spelled out there: as `any` is that has a replacement.
const token_list* spelled_out_at(const definitions& all, std::string_view name, std::uint32_t position, bool any) {
  const auto found = all.find(name);
  if (found == all.end()) return nullptr;
  const token_list* last = nullptr;
  for (const definition& one : found->second)
    if (one.macro->defined_at < position)
      last = one.is_spelled_out || (any && !one.macro->tokens.empty()) ? one.macro : nullptr;
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

/// `#parameter`
std::string in_quotes(std::string_view argument) {
  std::string made = "\"";
  char quote = 0;
  for (std::size_t i = 0; i < argument.size(); ++i) {
    const char c = argument[i];
    if (c == '"' || (c == '\\' && quote != 0)) made += '\\';
    made += c;
    if (c == '\\' && quote != 0 && i + 1 < argument.size()) {
      if (argument[i + 1] == '"' || argument[i + 1] == '\\') made += '\\';
      made += argument[++i];
    } else if (c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '"' || c == '\'')) {
      quote = c;
    }
  }
  return made + "\"";
}

/// What the macro stands for with these arguments.
std::string replacement(const lexed_source& source, const token_list& macro,
                        const std::vector<std::string>& arguments) {
  const auto value_of = [&](std::string_view word) -> std::optional<std::string> {
    const auto parameter = std::find(macro.parameters.begin(), macro.parameters.end(), word);
    if (parameter == macro.parameters.end()) return std::nullopt;
    const auto number = static_cast<std::size_t>(parameter - macro.parameters.begin());
    if (word != "__VA_ARGS__") return number < arguments.size() ? arguments[number] : "";
    std::string all;
    for (std::size_t i = number; i < arguments.size(); ++i) all += (i == number ? "" : ", ") + arguments[i];
    return all;
  };
  const auto is_pasting = [&](std::size_t i) {  // `##`
    return i + 1 < macro.tokens.size() && source.spelling(macro.tokens[i]) == "#" &&
           source.spelling(macro.tokens[i + 1]) == "#" && macro.tokens[i].end == macro.tokens[i + 1].begin;
  };
  std::string text;
  const token* before = nullptr;
  for (std::size_t i = 0; i < macro.tokens.size(); ++i) {
    const token& t = macro.tokens[i];
    const std::string_view word = source.spelling(t);
    if (is_pasting(i)) {
      before = nullptr;
      ++i;
      continue;
    }
    const bool is_pasted = is_pasting(i + 1);
    if (before != nullptr && before->end != t.begin) text += ' ';
    before = is_pasted ? nullptr : &t;
    if (word == "#" && i + 1 < macro.tokens.size())
      if (const auto value = value_of(source.spelling(macro.tokens[i + 1]))) {
        text += in_quotes(*value);
        before = &macro.tokens[++i];
        continue;
      }
    text += value_of(word).value_or(std::string(word));
  }
  return text;
}

}  // namespace

std::optional<std::string> with_macros_spelled_out(const lexed_source& source) {
  definitions all;
  bool any = false;
  for (const token_list& macro : source.macros) {
    const bool is_spelled_out = holds_qualifier(source, macro) || holds_built_asm(source, macro);
    all[macro.name].push_back({&macro, is_spelled_out});
    any = any || is_spelled_out;
  }
  any = any || !built_asm_texts(token_walk(source, source.code)).empty();
  if (!any) return std::nullopt;

  edit_list edits;
  std::size_t growth = 0;
  const auto expand = [&](const token_list& list, bool in_macro) {
    const token_walk walk(source, list);
    const rewrite_context context{source, walk, edits, in_macro, list.parameters};
    const std::vector<bool> in_asm_text = in_macro ? std::vector<bool>() : built_asm_texts(walk);
    for (std::size_t i = 0; i < walk.size() && growth < longest_growth; ++i) {
      if (!walk.is_identifier(i)) continue;
      const bool is_in_text = !in_asm_text.empty() && in_asm_text[i];
      const token_list* const macro = spelled_out_at(all, walk.text(i), walk.at(i).begin, is_in_text);
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
