#include <algorithm>
#include <array>

#include "translator/source_rewriter.h"

namespace simtlab::emulator {
namespace {

/// Streams of the C++ library in a function that is for the host, too.
bool is_host_stream(std::string_view name) {
  return name == "cout" || name == "cerr" || name == "clog" || name == "cin" || name.ends_with("stream");
}

/// Whether the token ends an operand: else `>>` closes something, or `<<` is an operator's name.
bool ends_left_operand(const token_walk& walk, std::size_t i) {
  const token_kind kind = walk.at(i).kind;
  if (kind == token_kind::identifier) return walk.text(i) != "operator" && walk.text(i) != "typename";
  return kind == token_kind::number || kind == token_kind::character || walk.is(i, ")") || walk.is(i, "]") ||
         walk.is(i, "}");
}

/// Whether the amount at token `i` is a number and nothing else.
bool is_literal_amount(const token_walk& walk, std::size_t i) {
  if (i >= walk.size() || walk.at(i).kind != token_kind::number) return false;
  constexpr std::array<std::string_view, 5> binds_closer{"+", "-", "*", "/", "%"};
  return std::ranges::find(binds_closer, walk.text(i + 1)) == binds_closer.end();
}

/// Whether the `>>` at `i` may close two lists of template arguments: two `<` behind names wait for their end.
bool may_close_templates(const token_walk& walk, std::size_t i, std::size_t statement) {
  int open = 0;
  constexpr std::size_t most_words = 1024;
  for (std::size_t k = i; k-- > std::max(statement, i - std::min(i, most_words));) {
    if (walk.is(k, ")") || walk.is(k, "]") || walk.is(k, "}")) {
      const std::size_t begin = walk.opening(k);
      if (begin == token_walk::none || begin <= statement) break;
      k = begin;
    } else if (walk.is(k, "(") || walk.is(k, "[") || walk.is(k, "{") || walk.is(k, ";")) {
      break;
    } else if (walk.is(k, ">")) {
      --open;
    } else if (walk.is(k, "<") && k > statement && walk.is_identifier(k - 1) && ++open == 2) {
      return true;
    }
  }
  return false;
}

}  // namespace

void clamp_shift(const rewrite_context& context, std::size_t i, std::size_t statement, bool resync) {
  const token_walk& walk = context.walk;
  const std::string sign(walk.text(i));
  if (i == 0 || !walk.is(i + 1, sign) || !walk.adjacent(i) || walk.is(i - 1, sign) || walk.is(i + 2, sign) ||
      !ends_left_operand(walk, i - 1))
    return;
  const bool assigns = walk.is(i + 2, "=") && walk.adjacent(i + 1);
  const std::size_t last = assigns ? i + 2 : i + 1, amount = last + 1;
  if (amount >= walk.size() || is_literal_amount(walk, amount)) return;
  if (sign == ">" && !assigns && may_close_templates(walk, i, statement)) return;
  // Of a statement without end its last thousand words: a hostile source costs no more than its length.
  constexpr std::size_t most_words = 1024;
  for (std::size_t k = std::max(statement, amount - std::min(amount, most_words)); k <= amount; ++k)
    if (walk.at(k).kind == token_kind::string || (walk.is_identifier(k) && is_host_stream(walk.text(k)))) return;
  context.edits.insert(walk.at(amount).begin, " ::simtlab::by() " + sign + sign + (assigns ? "=" : "") +
                                                  (resync ? context.back_to(amount) : " "));
}

}  // namespace simtlab::emulator
