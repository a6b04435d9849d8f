#include "translator/local_arrays.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace simtlab::emulator {
namespace {

/// A longer function is not looked through: its arrays are watched, so that hostile input costs little.
constexpr std::size_t longest_function = 20'000;
constexpr std::size_t longest_declaration = 512;

bool begins_no_declaration(std::string_view word) {
  constexpr std::array<std::string_view, 19> words{
      "const",   "return", "delete", "throw",      "goto", "case",      "else", "do",           "new",       "using",
      "typedef", "static", "extern", "__shared__", "if",   "constexpr", "for",  "__constant__", "__device__"};
  return std::ranges::find(words, word) != words.end();
}

/// Whether the statement says a type, and then names: `unsigned int n = 0, mine[16]`.
bool is_declaration(const token_walk& walk, std::size_t statement, std::size_t name) {
  if (name <= statement || !walk.is_identifier(statement)) return false;
  for (std::size_t i = statement; i < name && walk.is_identifier(i); ++i)
    if (begins_no_declaration(walk.text(i))) return false;
  const bool named = walk.is_identifier(statement + 1) || walk.is(statement + 1, "<") || walk.is(statement + 1, "::");
  return named && (walk.is_identifier(name - 1) || walk.is(name - 1, ">") || walk.is(name - 1, ","));
}

std::size_t end_of_declaration(const token_walk& walk, std::size_t i) {
  const std::size_t limit = std::min(walk.size(), i + longest_declaration);
  for (; i < limit; ++i) {
    if (walk.is(i, ";")) return i;
    if (walk.is(i, "}")) return token_walk::none;
    if (walk.is(i, "(") || walk.is(i, "[") || walk.is(i, "{")) {
      i = walk.closing(i);
      if (i == token_walk::none) return i;
    }
  }
  return token_walk::none;
}

bool is_assignment(std::string_view s) {
  constexpr std::array<std::string_view, 13> all{
      "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++", "--", "<<=", ">>="};
  return std::ranges::find(all, s) != all.end();
}

/// Whether token `i` stands in the parentheses of a `for`, and where they open.
std::size_t for_header_around(const token_walk& walk, std::size_t i, std::size_t begin) {
  for (std::size_t k = i; k > begin; --k) {
    if (walk.is(k - 1, ")") || walk.is(k - 1, "]") || walk.is(k - 1, "}")) {
      const std::size_t open = walk.opening(k - 1);
      if (open == token_walk::none || open <= begin) return token_walk::none;
      k = open + 1;
    } else if (walk.is(k - 1, "(")) {
      return k >= 2 && walk.is(k - 2, "for") ? k - 1 : token_walk::none;
    } else if (walk.is(k - 1, "{")) {
      return token_walk::none;
    }
  }
  return token_walk::none;
}

/// Whether all that a function does to a name is done in the heads of `for` loops, which begin it with a number or another counter.
bool is_counter(const token_walk& walk, std::string_view name, std::size_t begin, std::size_t end) {
  bool begins = false;
  for (std::size_t i = begin + 1; i + 1 < end; ++i) {
    if (!walk.is_identifier(i) || walk.text(i) != name) continue;
    const bool changed = is_assignment(walk.text(i + 1)) || walk.is(i - 1, "++") || walk.is(i - 1, "--");
    const bool lent = walk.is(i - 1, "&") && !walk.is_identifier(i - 2) && !walk.is(i - 2, ")") && !walk.is(i - 2, "]");
    if (lent) return false;
    if (!changed) continue;
    if (for_header_around(walk, i, begin) == token_walk::none) return false;
    if (walk.is(i + 1, "=")) {
      if (walk.at(i + 2).kind != token_kind::number) return false;
      begins = true;
    }
  }
  return begins;
}

/// Whether only counters and numbers stand in the brackets that open at `open`.
bool is_index_known(const token_walk& walk, std::size_t open, std::size_t begin, std::size_t end) {
  const std::size_t close = walk.closing(open);
  if (close == token_walk::none) return false;
  for (std::size_t i = open + 1; i < close; ++i)
    if (walk.is(i, "(") || (walk.is_identifier(i) && !is_counter(walk, walk.text(i), begin, end))) return false;
  return true;
}

/// Whether every use of the array asks for an element by a known index.
bool are_indices_known(const token_walk& walk, std::string_view name, std::size_t begin, std::size_t end) {
  if (end - begin > longest_function) return false;
  for (std::size_t i = begin + 1; i < end; ++i) {
    if (!walk.is_identifier(i) || walk.text(i) != name) continue;
    if (walk.is(i - 1, ".") || walk.is(i - 1, "->") || walk.is(i - 1, "::")) continue;
    if (!walk.is(i + 1, "[")) return false;
    for (std::size_t open = i + 1; walk.is(open, "["); open = walk.closing(open) + 1)
      if (!is_index_known(walk, open, begin, end)) return false;
  }
  return true;
}

}  // namespace

void watch_local_array(const rewrite_context& context, std::size_t i, std::size_t statement, std::size_t function_end) {
  const token_walk& walk = context.walk;
  if (i == 0 || !walk.is_identifier(i - 1) || !is_declaration(walk, statement, i - 1)) return;
  const std::size_t end = end_of_declaration(walk, i);
  if (end == token_walk::none || function_end == token_walk::none || function_end <= end) return;
  const std::string_view name = walk.text(i - 1);
  if (are_indices_known(walk, name, end, function_end)) return;
  context.edits.insert(walk.at(end).end, " ::simtlab::watch_local(" + std::string(name) + ");");
  const bool more = end + 1 < walk.size() && !walk.at(end).last_on_line && !walk.at(end + 1).first_on_line;
  if (more) context.edits.replace(walk.at(end).end, walk.at(end + 1).begin, context.back_to(end + 1));
}

}  // namespace simtlab::emulator
