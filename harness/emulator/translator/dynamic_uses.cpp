// Uses of dynamic shared memory that is declared at namespace scope. What stands for it there is an object that turns into a pointer
// (include/simtlab/dynamic_shared.h), and C++ asks no such object what it turns into in a cast, behind a `?` and where a template
// is to find out what an argument points to. A `+` in front makes it the pointer.
#include <algorithm>
#include <initializer_list>
#include <string_view>

#include "translator/source_rewriter.h"

namespace simtlab::emulator {
namespace {

bool is_one_of(const token_walk& walk, std::size_t i, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view w) { return walk.is(i, w); });
}

/// `*`, `* const` or a name: what the type of a pointer ends with, in the parentheses of a cast.
bool ends_pointer_type(const token_walk& walk, std::size_t last) {
  while (is_one_of(walk, last, {"const", "volatile", "__restrict__", "__restrict"})) --last;
  if (walk.is(last, "]")) last = walk.opening(last) - 1;  // float (*)[33]
  if (walk.is(last, ")")) return walk.is(last - 1, "*");
  return walk.is(last, "*") || walk.is_identifier(last);
}

/// Whether the parentheses that end at `close` are a cast's.
bool is_cast(const token_walk& walk, std::size_t close) {
  const std::size_t open = walk.opening(close);
  if (open == token_walk::none || open == 0 || close < open + 2 || !ends_pointer_type(walk, close - 1)) return false;
  if (walk.is(open - 1, "return")) return true;
  return !walk.is_identifier(open - 1) && !is_one_of(walk, open - 1, {")", "]", ">"});
}

/// `reinterpret_cast<float*>(` ends at `open`.
bool is_named_cast(const token_walk& walk, std::size_t open) {
  if (!walk.is(open, "(") || open < 3 || !walk.is(open - 1, ">")) return false;
  const std::size_t angle = walk.opening_angle(open - 1);
  return angle != token_walk::none && angle > 0 && walk.is(angle - 1, "reinterpret_cast") &&
         ends_pointer_type(walk, open - 2);
}

/// `f(name`, `f(a, name`: an argument by itself, of something that may be a function.
bool is_argument(const token_walk& walk, std::size_t i) {
  if (!is_one_of(walk, i + 1, {",", ")"})) return false;
  if (walk.is(i - 1, ",")) return true;
  return walk.is(i - 1, "(") && i > 1 && (walk.is_identifier(i - 2) || walk.is(i - 2, ">")) &&
         !is_one_of(walk, i - 2, {"sizeof", "decltype", "alignof", "typeof", "__typeof__"});
}

}  // namespace

bool is_declared_otherwise(const token_walk& walk, std::string_view name) {
  for (std::size_t i = 1; i + 1 < walk.size(); ++i) {
    if (!walk.is(i, name) || (walk.is(i + 1, "[") && walk.is(i + 2, "]"))) continue;
    const bool behind_type =
        (walk.is_identifier(i - 1) && !walk.is(i - 1, "return")) || is_one_of(walk, i - 1, {"*", "&", "&&", ">"});
    if (behind_type && is_one_of(walk, i + 1, {"[", "=", ";", ",", ")", "{", "("})) return true;
  }
  return false;
}

void point_at_dynamic_shared(const rewrite_context& context, std::size_t i, bool is_sole) {
  const token_walk& walk = context.walk;
  if (i < 2 || i + 1 >= walk.size() || is_one_of(walk, i + 1, {"[", "(", "{", ".", "->"})) return;
  const bool chosen = walk.is(i - 1, "?") || (walk.is(i - 1, ":") && is_one_of(walk, i + 1, {";", ")", ","}));
  const bool cast = is_named_cast(walk, i - 1) || (walk.is(i - 1, ")") && is_cast(walk, i - 1));
  if (chosen || cast || (is_sole && is_argument(walk, i))) context.edits.insert(walk.at(i).begin, "+");
}

}  // namespace simtlab::emulator
