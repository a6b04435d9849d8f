#include "judge/decide/finding_group.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace simtlab {
namespace {

using namespace std::string_view_literals;

// Rules that one missing lane or thread breaks at every place that needs it.
constexpr std::array of_missing_threads{"exited-before-barrier"sv, "divergent-barrier"sv, "inactive-lane"sv,
                                        "warp-deadlock"sv, "mask-without-caller"sv};
// Rules of what threads do to the memory of others, the causes before their consequences.
constexpr std::array of_reach{"out-of-bounds"sv, "use-after-free"sv, "host-access-to-device"sv};
constexpr std::array of_consequences{"shared-race"sv, "global-race"sv, "same-value-race"sv, "uninitialised-shared"sv};

template <std::size_t N>
bool is_of(const std::array<std::string_view, N>& rules, const finding& f) {
  return std::ranges::find(rules, f.rule) != rules.end();
}

bool same_line(const finding_place& a, const finding_place& b) { return a.file == b.file && a.line == b.line; }

// A leak explains no value.
int rank(const finding& f) {
  return is_of(of_missing_threads, f) ? 0 : is_of(of_reach, f) ? 1 : f.rule == "leak" ? 3 : 2;
}

// Its size does not matter: "a has 1 element" of three arrays of one size is one message.
std::string without_variable(const finding& f) {
  std::string text = f.message;
  if (f.variable.empty()) return text;
  for (const std::string& words : {f.variable + " has ", "pointer " + f.variable + " "})
    for (std::size_t at = 0; (at = text.find(words, at)) != std::string::npos;) text.erase(at, words.size());
  return text;
}

bool belongs_to(const finding& f, const finding& to) {
  if (f.level != to.level || f.kernel != to.kernel || f.rule != to.rule) return false;
  if (f.kernel.empty() && f.first.line != to.first.line) return false;
  if (f.rule == "leak") return true;
  if (is_of(of_missing_threads, f)) return true;
  return f.variable == to.variable ? f.first.line == to.first.line && without_variable(f) == without_variable(to)
                                   : without_variable(f) == without_variable(to);
}

// One barrier orders all arrays that two lines use, and a line with several arrays has one check to lack.
bool shares_a_line(const finding& f, const finding_group& with) {
  const auto has = [&with](const finding_place& p) {
    return std::ranges::any_of(with.places, [&p](const finding_place& one) { return same_line(one, p); });
  };
  return f.rule == "shared-race" && f.rule == with.first.rule && f.kernel == with.first.kernel &&
         f.level == with.first.level && (has(f.first) || (f.second && has(*f.second)));
}

bool writes(const finding& f) { return f.first.action.find("writes") != std::string::npos; }

bool follows_from(const finding& f, const finding& cause) {
  if (cause.level != severity::error || f.kernel != cause.kernel) return false;
  if (f.rule == "invalid-address" && same_line(f.first, cause.first))
    return cause.rule == "out-of-bounds" || cause.rule == "host-access-to-device";
  if (f.kernel.empty()) return false;
  // An index beyond a row of an array with two dimensions reaches anything from there.
  if (cause.message.find("declared type") != std::string::npos && same_line(f.first, cause.first))
    return is_of(of_reach, f) || f.rule == "device-access-to-host";
  if (is_of(of_missing_threads, cause)) return is_of(of_consequences, f) || is_of(of_missing_threads, f);
  return cause.rule == "out-of-bounds" && writes(cause) && is_of(of_consequences, f) && f.variable == cause.variable;
}

void add_place(finding_group& to, const finding_place& p) {
  const auto is_there = [&p](const finding_place& one) { return same_line(one, p); };
  if (p.line != 0 && std::ranges::none_of(to.places, is_there)) to.places.push_back(p);
}

void join(finding_group& to, const finding& f) {
  if (!f.variable.empty() && std::ranges::find(to.variables, f.variable) == to.variables.end())
    to.variables.push_back(f.variable);
  add_place(to, f.first);
  if (f.second) add_place(to, *f.second);
}

}  // namespace

std::vector<finding_group> grouped_findings(const std::vector<finding>& findings) {
  std::vector<finding> ordered = findings;
  std::ranges::stable_sort(ordered, [](const finding& a, const finding& b) {
    return a.level != b.level ? a.level > b.level : rank(a) < rank(b);
  });
  std::vector<finding_group> groups;
  for (const finding& f : ordered) {
    const auto same = std::ranges::find_if(
        groups, [&f](const finding_group& g) { return belongs_to(f, g.first) || shares_a_line(f, g); });
    if (same != groups.end()) {
      same->first.times += f.times;
      join(*same, f);
      continue;
    }
    const auto cause = std::ranges::find_if(groups, [&f](const finding_group& g) { return follows_from(f, g.first); });
    if (cause != groups.end()) {
      const std::string what = f.rule + (f.variable.empty() ? "" : " of " + f.variable);
      if (std::ranges::find(cause->followed_by, what) == cause->followed_by.end()) cause->followed_by.push_back(what);
      continue;
    }
    join(groups.emplace_back(finding_group{f, {}, {}, {}}), f);
  }
  return groups;
}

}  // namespace simtlab
