#include "translator/source_rewriter.h"

namespace simtlab::emulator {
namespace {

constexpr const char* next_pass = "::simtlab::next_pass()";

/// Of `for (…; …; …)` the second semicolon at the parentheses' own depth; `none` where there are less, as in `for (x : a)`.
std::size_t second_semicolon(const token_walk& walk, std::size_t open, std::size_t close) {
  std::size_t found = 0;
  for (std::size_t i = open + 1; i < close; ++i) {
    if (walk.is(i, "(") || walk.is(i, "[") || walk.is(i, "{"))
      i = walk.closing(i) < close ? walk.closing(i) : close;
    else if (walk.is(i, ";") && ++found == 2)
      return i;
  }
  return token_walk::none;
}

/// Whether the `while` at `i` ends `do { … }`.
bool ends_do(const token_walk& walk, std::size_t i) {
  if (i == 0 || !walk.is(i - 1, "}")) return false;
  const std::size_t open = walk.opening(i - 1);
  return open != token_walk::none && open > 0 && walk.is(open - 1, "do");
}

}  // namespace

void join_passes(const rewrite_context& context, std::size_t i, bool resync) {
  const token_walk& walk = context.walk;
  const std::size_t open = i + 1, close = walk.is(open, "(") ? walk.closing(open) : token_walk::none;
  if (close == token_walk::none || close + 1 >= walk.size() || walk.is(close + 1, ";")) return;
  std::string end = next_pass;
  if (walk.is(i, "while")) {
    if (ends_do(walk, i)) return;
    context.edits.replace(walk.at(i).begin, walk.at(i).end, "for");  // two characters less, and two more: columns stay
    context.edits.replace(walk.at(open).begin, walk.at(open).end, "(; ");
    end.insert(0, "; ");
  } else if (second_semicolon(walk, open, close) + 1 != close) {
    return;  // all lanes come to what the loop does between its passes
  }
  context.edits.insert(walk.at(close).begin, end + (resync ? context.back_to(close) : ""));
}

void join_passes_of_label(const rewrite_context& context, std::size_t label, std::span<const std::size_t> gotos,
                          bool resync) {
  const token_walk& walk = context.walk;
  const std::string name(walk.text(label)), pass = "simtlab_pass_" + name;
  const auto replace = [&](std::size_t first, std::size_t last, const std::string& text) {
    context.edits.replace(walk.at(first).begin, walk.at(last).end,
                          text + (resync && last + 1 < walk.size() ? context.back_to(last + 1) : ""));
  };
  for (const std::size_t g : gotos.first(gotos.size() - 1)) replace(g, g + 2, "goto " + pass + ";");
  const std::size_t last = gotos.back();
  replace(last, last + 2,
          "{ " + (gotos.size() > 1 ? pass + ": " : "") + std::string(next_pass) + "; goto " + name + "; }");
}

}  // namespace simtlab::emulator
