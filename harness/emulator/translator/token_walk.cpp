#include "translator/token_walk.h"

#include <algorithm>
#include <array>

namespace simtlab::emulator {
namespace {

bool opens(std::string_view s) { return s == "(" || s == "[" || s == "{"; }
bool closes(std::string_view s) { return s == ")" || s == "]" || s == "}"; }

}  // namespace

token_walk::token_walk(const lexed_source& source, const token_list& list)
    : source_(source), list_(list), partner_(list.tokens.size(), none) {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < size(); ++i) {
    if (at(i).kind != token_kind::punctuator) continue;
    const std::string_view s = text(i);
    if (opens(s)) open.push_back(i);
    if (!closes(s)) continue;
    const std::string_view wanted = s == ")" ? "(" : s == "]" ? "[" : "{";
    // A brace ends whatever was left open inside of it.
    while (s == "}" && !open.empty() && text(open.back()) != wanted) open.pop_back();
    if (open.empty() || text(open.back()) != wanted) continue;
    partner_[open.back()] = i;
    partner_[i] = open.back();
    open.pop_back();
  }
}

std::size_t token_walk::opening_angle(std::size_t close) const {
  std::size_t depth = 0;
  for (std::size_t i = close + 1; i-- > 0;) {
    if (closes(text(i))) {
      i = opening(i);
      if (i == none) return none;
    } else if (is(i, ">")) {
      ++depth;
    } else if (is(i, "<")) {
      if (--depth == 0) return i;
    } else if (is(i, ";") || opens(text(i))) {
      return none;
    }
  }
  return none;
}

std::size_t token_walk::closing_angle(std::size_t open) const {
  std::size_t depth = 0;
  for (std::size_t i = open; i < size(); ++i) {
    if (opens(text(i))) {
      i = closing(i);
      if (i == none) return none;
    } else if (is(i, "<")) {
      ++depth;
    } else if (is(i, ">")) {
      if (--depth == 0) return i;
    } else if (is(i, ";") || closes(text(i))) {
      return none;
    }
  }
  return none;
}

std::size_t token_walk::after_attribute(std::size_t i) const {
  constexpr std::array<std::string_view, 6> words{"__attribute__",     "__align__",   "alignas",
                                                  "__launch_bounds__", "__maxnreg__", "__cluster_dims__"};
  std::size_t bracket = none;
  if (is(i, "[") && is(i + 1, "["))
    bracket = i;
  else if (is(i + 1, "(") && std::find(words.begin(), words.end(), text(i)) != words.end())
    bracket = i + 1;
  if (bracket == none) return i;
  const std::size_t end = closing(bracket);
  return end == none ? i : end + 1;
}

std::size_t token_walk::end_of_statement(std::size_t i) const {
  constexpr std::size_t longest = 512;
  for (const std::size_t limit = std::min(size(), i + longest); i < limit; ++i) {
    if (is(i, ";")) return i;
    if (is(i, "}")) return none;
    if (is(i, "(") || is(i, "[") || is(i, "{")) {
      i = closing(i);
      if (i == none) return i;
    }
  }
  return none;
}

}  // namespace simtlab::emulator
