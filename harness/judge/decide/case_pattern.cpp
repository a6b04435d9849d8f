#include "judge/decide/case_pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <set>

namespace simtlab {
namespace {

constexpr std::array divisors{512, 256, 128, 64, 32, 16, 8, 4, 2};
constexpr std::ptrdiff_t fewest_of_each = 2;

// `holds` for every right case and for no wrong one.
bool tells_apart(const std::vector<sized_case>& cases, const std::function<bool(const sizes&)>& holds) {
  return std::ranges::all_of(cases, [&](const sized_case& c) { return holds(c.of) == c.right; });
}

// Right cases with two different sizes, neither of them 0: nothing is a multiple of everything, and says nothing of it.
bool has_two_sizes(const std::vector<sized_case>& cases, const std::string& size) {
  std::set<int> values;
  for (const sized_case& c : cases)
    if (c.right && c.of[size] != 0) values.insert(c.of[size]);
  return values.size() >= 2;
}

struct size_limit {
  std::string size;
  int right = 0, wrong = 0;  ///< the largest of the right cases, and the smallest of the wrong ones
};

// The limit that tells right from wrong, where that size has one.
std::optional<size_limit> limit_of(const std::vector<sized_case>& cases, const std::string& size) {
  size_limit found{size};
  bool any_right = false, any_wrong = false;
  for (const sized_case& c : cases) {
    const int value = c.of[size];
    if (c.right) found.right = any_right ? std::max(found.right, value) : value;
    if (!c.right) found.wrong = any_wrong ? std::min(found.wrong, value) : value;
    (c.right ? any_right : any_wrong) = true;
  }
  if (found.right >= found.wrong || found.right == 0) return std::nullopt;  // 0: the right ones have nothing of it
  return found;
}

// Of several sizes nobody knows which it is that counts.
std::string up_to(const std::vector<sized_case>& cases) {
  std::vector<std::string> right, wrong;
  for (const named_size& s : cases.front().of)
    if (const auto limit = limit_of(cases, s.name)) {
      right.push_back(fmt::format("{} up to {}", s.name, limit->right));
      wrong.push_back(fmt::format("{} {}", s.name, limit->wrong));
    }
  if (right.empty()) return "";
  return fmt::format("All cases with {} are right, all from {} on are wrong.", fmt::join(right, " and "),
                     fmt::join(wrong, " and "));
}

}  // namespace

std::string what_fails(const std::vector<sized_case>& cases) {
  const auto right = std::ranges::count(cases, true, &sized_case::right);
  if (right < fewest_of_each || std::ssize(cases) - right < fewest_of_each) return "";
  const sizes& names = cases.front().of;
  if (std::string text = up_to(cases); !text.empty()) return text;
  for (const int divisor : divisors) {
    std::vector<std::string> multiples;
    for (const named_size& s : names)
      if (has_two_sizes(cases, s.name) &&
          tells_apart(cases, [&](const sizes& of) { return of[s.name] % divisor == 0; }))
        multiples.push_back(s.name);
    if (!multiples.empty())
      return fmt::format("All cases in which {} {} of {} are right, all others are wrong.", fmt::join(multiples, ", "),
                         multiples.size() == 1 ? "is a multiple" : "are multiples", divisor);
  }
  for (auto a = names.begin(); a != names.end(); ++a)
    for (auto b = a + 1; b != names.end(); ++b)
      if (has_two_sizes(cases, a->name) &&
          tells_apart(cases, [&](const sizes& of) { return of[a->name] == of[b->name]; }))
        return fmt::format("All cases in which {} and {} are equal are right, all others are wrong.", a->name, b->name);
  return "";
}

}  // namespace simtlab
