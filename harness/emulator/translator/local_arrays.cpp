#include "translator/local_arrays.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <unordered_map>

namespace simtlab::emulator {
namespace {

/// A longer function is not looked through: its arrays are watched, so that hostile input costs little.
constexpr std::size_t longest_function = 4'000;
constexpr std::size_t longest_type = 64;

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
  if (!named || walk.is(name - 1, ",")) return named;
  for (std::size_t i = statement; i < name; ++i)
    if (walk.is(i, "=")) return false;  // `auto p = new int[n]`, `bool b = n > p[0]`
  return walk.is_identifier(name - 1) || walk.is(name - 1, ">");
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

/// Whether a `&` at token `i` takes an address.
bool takes_address(const token_walk& walk, std::size_t i) {
  return walk.is(i, "&") && !walk.is_identifier(i - 1) && !walk.is(i - 1, ")") && !walk.is(i - 1, "]");
}

/// What a function does with the names in its indices. Begins behind a declaration, ends at the function's `}`.
class index_reader {
 public:
  index_reader(const token_walk& walk, std::size_t begin, std::size_t end) : walk_(walk), begin_(begin), end_(end) {}

  /// Whether only counters and numbers stand in the brackets that open at `open`, and in those that follow.
  bool is_known(std::size_t open) {
    for (; walk_.is(open, "["); open = walk_.closing(open) + 1) {
      const std::size_t close = walk_.closing(open);
      if (close == token_walk::none) return false;
      for (std::size_t i = open + 1; i < close; ++i)
        if (walk_.is(i, "(") || (walk_.is_identifier(i) && !is_counter(walk_.text(i)))) return false;
    }
    return true;
  }

 private:
  bool is_counter(std::string_view name) {
    const auto [known, is_new] = counters_.try_emplace(name);
    if (is_new) known->second = stays_in_loop_heads(name);
    return known->second;
  }

  /// Whether all that the function does to a name is done in the heads of `for` loops, which begin it with a number.
  [[nodiscard]] bool stays_in_loop_heads(std::string_view name) const {
    bool begins = false;
    for (std::size_t i = begin_ + 1; i + 1 < end_; ++i) {
      if (!walk_.is_identifier(i) || walk_.text(i) != name) continue;
      if (takes_address(walk_, i - 1)) return false;
      if (!is_assignment(walk_.text(i + 1)) && !walk_.is(i - 1, "++") && !walk_.is(i - 1, "--")) continue;
      if (for_header_around(walk_, i, begin_) == token_walk::none) return false;
      if (!walk_.is(i + 1, "=")) continue;
      if (walk_.at(i + 2).kind != token_kind::number) return false;
      begins = true;
    }
    return begins;
  }

  const token_walk& walk_;
  std::size_t begin_, end_;
  std::unordered_map<std::string_view, bool> counters_;
};

/// Whether every use of the array asks for an element by a known index.
bool are_indices_known(const token_walk& walk, std::string_view name, std::size_t begin, std::size_t end) {
  if (end - begin > longest_function) return false;
  index_reader indices(walk, begin, end);
  for (std::size_t i = begin + 1; i < end; ++i) {
    if (!walk.is_identifier(i) || walk.text(i) != name) continue;
    if (walk.is(i - 1, ".") || walk.is(i - 1, "->") || walk.is(i - 1, "::")) continue;
    if (!walk.is(i + 1, "[") || takes_address(walk, i - 1) || !indices.is_known(i + 1)) return false;
  }
  return true;
}

/// Whether the name at `k` is declared there, as `tally mine;`, `tally mine = ..` or the like.
bool declares_object(const token_walk& walk, std::size_t k) {
  const bool ends = walk.is(k + 1, ";") || walk.is(k + 1, "=") || walk.is(k + 1, "{") || walk.is(k + 1, ",");
  if (k == 0 || !ends) return false;
  std::size_t statement = k;
  while (statement > 0 && k - statement < longest_type && !walk.is(statement - 1, ";") &&
         !walk.is(statement - 1, "{") && !walk.is(statement - 1, "}"))
    --statement;
  return is_declaration(walk, statement, k);
}

/// Where the body that begins at `body` declares the object that is used at token `use`; `none` where it does not.
std::size_t declaration_of(const token_walk& walk, std::size_t use, std::size_t body) {
  const std::string_view name = walk.text(use);
  std::size_t found = token_walk::none;
  for (std::size_t k = use; k-- > body + 1;) {
    if (walk.is(k, ")") || walk.is(k, "]") || walk.is(k, "}")) {
      k = walk.opening(k);
      if (k == token_walk::none || k <= body) return token_walk::none;
    } else if (walk.is(k, "(") || walk.is(k, "[")) {
      found = token_walk::none;  // in the head of a loop
    } else if (walk.is(k, "{") && found != token_walk::none) {
      break;
    } else if (found == token_walk::none && walk.is(k, name) && declares_object(walk, k)) {
      found = k;
    }
  }
  return found;
}

/// `text` behind the `;` at `end`; what follows on the same line keeps its place there.
void insert_behind(const rewrite_context& context, std::size_t end, const std::string& text) {
  const token_walk& walk = context.walk;
  context.edits.insert(walk.at(end).end, text);
  const bool more = end + 1 < walk.size() && !walk.at(end).last_on_line && !walk.at(end + 1).first_on_line;
  if (more) context.edits.replace(walk.at(end).end, walk.at(end + 1).begin, context.back_to(end + 1));
}

}  // namespace

void watch_local_array(const rewrite_context& context, std::size_t i, std::size_t statement, std::size_t function_end) {
  const token_walk& walk = context.walk;
  if (i == 0 || !walk.is_identifier(i - 1) || !is_declaration(walk, statement, i - 1)) return;
  const std::size_t end = walk.end_of_statement(i);
  if (end == token_walk::none || function_end == token_walk::none || function_end <= end) return;
  const std::string_view name = walk.text(i - 1);
  if (are_indices_known(walk, name, end, function_end)) return;
  insert_behind(context, end, " ::simtlab::watch_local(" + std::string(name) + ");");
}

void watch_member_array(const rewrite_context& context, std::size_t i, std::size_t function_end) {
  const token_walk& walk = context.walk;
  const bool is_member = i > 3 && walk.is_identifier(i - 1) && walk.is(i - 2, ".") && walk.is_identifier(i - 3);
  if (!is_member || function_end == token_walk::none) return;
  const std::size_t body = walk.opening(function_end);
  if (body == token_walk::none || function_end - body > longest_function) return;
  const std::size_t object = declaration_of(walk, i - 3, body);
  if (object == token_walk::none) return;
  const std::size_t end = walk.end_of_statement(object);
  if (end == token_walk::none || end >= i) return;
  index_reader indices(walk, end, function_end);
  for (std::size_t use = end + 1; use < i; ++use) {
    const bool is_same = walk.is(use, walk.text(i - 3)) && walk.is(use + 1, ".") && walk.is(use + 2, walk.text(i - 1));
    if (is_same && use != i - 3 && walk.is(use + 3, "[") && !indices.is_known(use + 3)) return;  // watched already
  }
  if (indices.is_known(i)) return;
  const std::string name(walk.text(i - 3));
  insert_behind(context, end,
                " ::simtlab::watch_member(" + name + ", " + name + "." + std::string(walk.text(i - 1)) + ");");
}

}  // namespace simtlab::emulator
