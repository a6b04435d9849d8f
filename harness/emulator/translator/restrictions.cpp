#include "translator/restrictions.h"

#include <algorithm>
#include <array>

namespace simtlab::emulator {
namespace {

using namespace std::string_view_literals;

constexpr std::array attributes{"alias"sv,       "aligned"sv,       "always_inline"sv,
                                "assume"sv,      "cleanup"sv,       "cold"sv,
                                "const"sv,       "constructor"sv,   "deprecated"sv,
                                "destructor"sv,  "fallthrough"sv,   "format"sv,
                                "hot"sv,         "init_priority"sv, "likely"sv,
                                "malloc"sv,      "may_alias"sv,     "maybe_unused"sv,
                                "nodiscard"sv,   "noinline"sv,      "nonnull"sv,
                                "noreturn"sv,    "nothrow"sv,       "no_unique_address"sv,
                                "packed"sv,      "pure"sv,          "returns_nonnull"sv,
                                "section"sv,     "sentinel"sv,      "transparent_union"sv,
                                "unlikely"sv,    "unused"sv,        "used"sv,
                                "vector_size"sv, "visibility"sv,    "warn_unused_result"sv,
                                "weak"sv};
constexpr std::array gcc_pragmas{"optimize"sv,    "target"sv,        "push_options"sv,
                                 "pop_options"sv, "reset_options"sv, "system_header"sv};

/// Words that have to stand in the text to be seen.
constexpr std::array pasted_words{
    "asm"sv,          "__asm"sv,       "__asm__"sv,           "__attribute"sv,     "__attribute__"sv,
    "_Pragma"sv,      "__global__"sv,  "__device__"sv,        "__host__"sv,        "__shared__"sv,
    "__constant__"sv, "__managed__"sv, "__launch_bounds__"sv, "SIMTLAB_NO_HOOKS"sv};

template <class Array>
bool is_one_of(const Array& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// `__aligned__` is `aligned`.
std::string_view plain(std::string_view word) {
  if (word.size() > 4 && word.starts_with("__") && word.ends_with("__")) word = word.substr(2, word.size() - 4);
  return word;
}

[[noreturn]] void refuse(const rewrite_context& context, std::size_t i, const std::string& what,
                         const std::string& advice) {
  context.refuse(i, std::string(not_allowed) + what, advice);
}

void check_attribute(const rewrite_context& context, std::size_t i) {
  const std::string_view name = plain(context.walk.text(i));
  if (is_one_of(attributes, name)) return;
  refuse(context, i, "the attribute `" + std::string(name) + "`",
         "Attributes that change how code is generated or checked would change what is measured. Remove it");
}

/// The attributes between `begin` and `end`, separated by commas.
void check_attributes(const rewrite_context& context, std::size_t begin, std::size_t end) {
  const token_walk& walk = context.walk;
  for (std::size_t i = begin; i < end; ++i) {
    if (walk.is(i, "using")) {
      i += 2;  // using gnu:
    } else if (walk.is(i, "(") || walk.is(i, "[")) {
      const std::size_t close = walk.closing(i);
      if (close == token_walk::none) return;
      i = close;
    } else if (walk.is_identifier(i) && !walk.is(i + 1, "::")) {
      check_attribute(context, i);
    }
  }
}

void check_gnu_attribute(const rewrite_context& context, std::size_t i) {
  const token_walk& walk = context.walk;
  const std::size_t end = walk.is(i + 1, "(") && walk.is(i + 2, "(") ? walk.closing(i + 2) : token_walk::none;
  if (end == token_walk::none)
    refuse(context, i, "`" + std::string(walk.text(i)) + "` without its two parentheses", "Write it out in one place");
  check_attributes(context, i + 3, end);
}

/// Whether a macro makes a text of its one argument: `#x`, or `TEXT(x)` of another such.
bool makes_text(const lexed_source& source, std::string_view name, int depth = 2) {
  const auto says = [&](const token_list& m, std::size_t i, std::string_view what) {
    return source.spelling(m.tokens[i]) == what;
  };
  bool found = false;
  for (const token_list& m : source.macros) {
    if (m.name != name) continue;
    found = true;
    if (m.parameters.size() != 2) return false;  // an `#undef`, or more than one beside __VA_ARGS__
    const bool by_sign = m.tokens.size() == 2 && says(m, 0, "#") && says(m, 1, m.parameters.front());
    const bool by_other = m.tokens.size() == 4 && says(m, 1, "(") && says(m, 2, m.parameters.front()) &&
                          says(m, 3, ")") && depth > 0 && makes_text(source, source.spelling(m.tokens[0]), depth - 1);
    if (!by_sign && !by_other) return false;
  }
  return found;
}

/// `_Pragma(TEXT(unroll n))`: what it says does not depend on any macro's arguments.
bool is_text_of_unroll(const rewrite_context& context, std::size_t i) {
  const token_walk& walk = context.walk;
  const auto is_unroll = [](const token_list& m) { return m.name == "unroll"; };
  return walk.is(i + 1, "(") && walk.is_identifier(i + 2) && walk.is(i + 3, "(") && walk.is(i + 4, "unroll") &&
         std::ranges::none_of(context.source.macros, is_unroll) && makes_text(context.source, walk.text(i + 2));
}

void check_pragma_operator(const rewrite_context& context, std::size_t i) {
  const std::string_view text = context.walk.text(i + 2);
  if (context.walk.is(i + 1, "(") && (text.starts_with("\"unroll") || text.starts_with("\"nv_"))) return;
  if (is_text_of_unroll(context, i)) return;
  refuse(context, i, "`_Pragma` with anything but \"unroll\"", "Write a `#pragma` line, or leave it out");
}

void check_pragma(const rewrite_context& context) {
  const token_walk& walk = context.walk;
  const bool of_gcc = walk.is(0, "GCC") && is_one_of(gcc_pragmas, walk.text(1));
  if (of_gcc || walk.is(0, "redefine_extname"))
    refuse(context, 0, "the pragma `" + context.spelled(0, of_gcc ? 1 : 0) + "`",
           "Pragmas that change how code is generated would change what is measured. Remove it");
}

/// Whether token `i`, an end of a pasted word, is written out in the macro, and no hidden word has that end.
template <class HasEnd>
bool is_harmless_end(const token_walk& walk, const std::vector<std::string>& parameters, std::size_t i, HasEnd&& has) {
  if (i >= walk.size()) return false;
  if (!walk.is_identifier(i)) return is_digit(walk.text(i).front());
  if (std::find(parameters.begin(), parameters.end(), walk.text(i)) != parameters.end()) return false;
  return std::none_of(pasted_words.begin(), pasted_words.end(),
                      [&](std::string_view w) { return has(w, walk.text(i)); });
}

/// Where in a macro's body a word may come out of `##` that has to be seen: neither its first nor its last part, as far as
/// they are written out, rules that out. `walk.size()` where there is none.
std::size_t hidden_word(const token_walk& walk, const std::vector<std::string>& parameters) {
  for (std::size_t i = 0; i + 1 < walk.size(); ++i) {
    if (!walk.is_pasting(i)) continue;
    const std::size_t paste = i;
    if (i > 0 && walk.is(i - 1, ",") && walk.is(i + 2, "__VA_ARGS__")) continue;
    std::size_t last = i + 2;
    while (walk.is_pasting(last + 1)) last += 3;
    // Words that begin with two underscores are the compiler's.
    const bool begins_otherwise =
        i > 0 && !walk.text(i - 1).starts_with("__") &&
        is_harmless_end(walk, parameters, i - 1, [](auto w, auto part) { return w.starts_with(part); });
    const bool ends_otherwise =
        is_harmless_end(walk, parameters, last, [](auto w, auto part) { return w.ends_with(part); });
    if (!begins_otherwise && !ends_otherwise) return paste;
    i = last;
  }
  return walk.size();
}

void check_pasting(const rewrite_context& context, const pasted_pieces& of_all, bool in_macro) {
  const token_walk& walk = context.walk;
  if (in_macro)
    if (const std::size_t i = hidden_word(walk, context.parameters); i < walk.size() && of_all.make_hidden_word())
      context.refuse(i, "`##` that may paste any word",
                     "Findings and counters need to see what the text says. Write the first or the last part of the "
                     "word out in the macro, as in `name##_kernel`, or use a template");
  for (std::size_t i = 0; i + 1 < walk.size(); ++i) {
    const bool colon = walk.is(i + 1, ":") && walk.adjacent(i);
    const bool bracket = walk.is(i, "<") && colon && walk.is(i + 2, "<") && walk.is(i + 3, ":");
    if (bracket || (walk.is(i, "%") && colon))
      refuse(context, i, bracket ? "`<:`, which stands for `[`" : "`%:`, which stands for `#`",
             "Write the character itself");
  }
}

bool pastes_any_word(const rewrite_context& context, std::string_view name) {
  const auto found = context.source.pasting.find(name);
  if (found == context.source.pasting.end()) return false;
  const std::string text = "#define " + std::string(found->second) + "\n";
  const lexed_source macro = lex(text, "");
  const token_list& body = macro.macros.front();
  const token_walk walk(macro, body);
  return hidden_word(walk, body.parameters) < walk.size();
}

}  // namespace

void check_restrictions(const rewrite_context& context, std::size_t i) {
  const token_walk& walk = context.walk;
  const std::string_view word = walk.text(i);
  if (walk.is_asm(i))
    refuse(context, i, "assembly (`" + std::string(word) + "`)",
           "What it does can be neither seen nor counted: write it in C++");
  // The emulator's own headers have macros for functions without instrumentation.
  if (plain(word).starts_with("no_sanitize") || word == "SIMTLAB_NO_HOOKS") check_attribute(context, i);
  if (word == "__attribute__" || word == "__attribute") check_gnu_attribute(context, i);
  if (word == "_Pragma") check_pragma_operator(context, i);
  if (walk.is(i + 1, "(") && pastes_any_word(context, word))
    refuse(context, i, "`" + std::string(word) + "`, a header's macro that may paste any word", "Write the word out");
  if (word == "goto" && walk.is(i + 1, "*"))
    context.refuse(
        i, "`goto *`, a jump to a label by its address",
        "CUDA C++ has no addresses of labels; they are g++'s own. Write a `switch`, or a table of functions");
  if (word == "[" && walk.is(i + 1, "[") && walk.closing(i) != token_walk::none)
    check_attributes(context, i + 2, walk.closing(i));
}

bool is_restricted(std::string_view file, source_rules rules) {
  if (rules == source_rules::none) return false;
  return rules == source_rules::submission || file.ends_with(".cu") || file.ends_with(".cuh");
}

std::vector<std::string> own_files(std::string_view preprocessed, const std::string& source) {
  std::vector<std::string> own{source};
  for (const inclusion& i : lex(preprocessed, source).inclusions)
    if (!i.system && !i.file.starts_with('<') && std::find(own.begin(), own.end(), i.file) == own.end())
      own.push_back(i.file);
  return own;
}

namespace {

/// The conditions of a text, as code: `#if JOIN(as, m)` becomes `JOIN(as, m)`, and all other lines are empty.
std::string conditions_of(std::string_view text) {
  std::string conditions;
  bool goes_on = false;  // by a backslash at the line's end
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    std::size_t sign = line.find_first_not_of(" \t");
    bool is_condition = goes_on;
    if (!goes_on && sign != std::string_view::npos && line[sign] == '#') {
      sign = line.find_first_not_of(" \t", sign + 1);
      const std::string_view rest = sign == std::string_view::npos ? std::string_view() : line.substr(sign);
      is_condition = rest.starts_with("if") || rest.starts_with("el");
      line = rest;
    }
    goes_on = is_condition && line.ends_with('\\');
    if (goes_on) line.remove_suffix(1);
    if (is_condition) conditions += line;
    conditions += '\n';
  }
  return conditions;
}

}  // namespace

void pasted_pieces::add(std::string_view text, const std::string& file) {
  add_code(text, file);
  add_code(conditions_of(text), file);
}

void pasted_pieces::add_code(std::string_view text, const std::string& file) {
  constexpr std::array nobodys_beginning{"__restrict"sv, "__half"sv,        "__half2"sv,
                                         "__inline"sv,   "__forceinline"sv, "__cplusplus"sv};
  const lexed_source source = lex(text, file);
  const auto add_all = [&](const token_list& list) {
    for (std::size_t i = 0; i < list.tokens.size(); ++i) {
      const token& t = list.tokens[i];
      const std::string_view word = source.spelling(t);
      if (t.kind != token_kind::identifier && t.kind != token_kind::number) continue;
      if (std::ranges::find(list.parameters, word) != list.parameters.end()) continue;
      pieces_.emplace(word);
      // Behind what is called nothing is pasted, and no word of the compiler's goes on behind two underscores.
      const bool is_called = i + 1 < list.tokens.size() && source.spelling(list.tokens[i + 1]) == "(";
      const bool is_whole = (word.size() > 4 && word.ends_with("__")) || is_one_of(nobodys_beginning, word);
      begins_with_two_underscores_ |= word.starts_with("__") && !is_called && !is_whole;
    }
  };
  add_all(source.code);
  for (const token_list& macro : source.macros) add_all(macro);
}

bool pasted_pieces::make(std::string_view word) const {
  std::vector<bool> reached(word.size() + 1);  // by pieces, none of which is the whole word
  reached[0] = true;
  for (std::size_t begin = 0; begin < word.size(); ++begin)
    for (std::size_t length = 1; reached[begin] && length <= word.size() - begin && length < word.size(); ++length)
      if (pieces_.contains(word.substr(begin, length))) reached[begin + length] = true;
  return reached[word.size()];
}

bool pasted_pieces::make_hidden_word() const {
  const auto begins_with_one = [](const std::string& piece) { return piece.starts_with('_'); };
  return begins_with_two_underscores_ || (pieces_.contains("_") && std::ranges::any_of(pieces_, begins_with_one)) ||
         std::ranges::any_of(pasted_words, [this](std::string_view word) { return make(word); });
}

void check_file(std::string_view text, const std::string& file, const pasted_pieces& of_all) {
  const lexed_source source = lex(text, file);
  edit_list edits;
  if (source.line_directive != 0)
    throw refusal(file, static_cast<int>(source.line_directive), 1, std::string(not_allowed) + "`#line`",
                  "Findings and counters name the lines of this file: leave their numbers as they are");
  const auto each = [&](const token_list& list, auto&& check) {
    const token_walk walk(source, list);
    check(rewrite_context{source, walk, edits, false, list.parameters});
  };
  each(source.code, [&](const rewrite_context& c) { check_pasting(c, of_all, false); });
  for (const token_list& macro : source.macros)
    each(macro, [&](const rewrite_context& c) { check_pasting(c, of_all, true); });
  for (const token_list& pragma : source.pragmas) each(pragma, check_pragma);
}

}  // namespace simtlab::emulator
