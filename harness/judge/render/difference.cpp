#include "judge/render/difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "judge/decide/verdict.h"
#include "judge/render/facts.h"
#include "spec/metric.h"

namespace simtlab {
namespace {

constexpr std::size_t most_names = 3;

const char* plural(std::size_t count, const char* one, const char* many) { return count == 1 ? one : many; }

std::string named(const std::vector<std::string>& names) {
  if (names.empty()) return "";
  const std::vector<std::string> shown(names.begin(),
                                       names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), most_names)));
  return fmt::format(": {}{}", fmt::join(shown, ", "), names.size() > most_names ? ", …" : "");
}

/// Case by name: whether its answer is right.
std::map<std::string, bool> answers_of(const json& facts) {
  std::map<std::string, bool> answers;
  for (const json& c : facts.at("cases")) {
    const std::string ended = c.at("verdict");
    answers[c.at("name")] =
        ended == name_of(verdict::pass) || ended == name_of(verdict::leak) || ended == name_of(verdict::unsafe);
  }
  return answers;
}

void add_cases(std::vector<std::string>& lines, const json& before, const json& now) {
  const auto old = answers_of(before);
  std::vector<std::string> mended, broken;
  for (const auto& [name, right] : answers_of(now)) {
    const auto was = old.find(name);
    if (was == old.end() || was->second == right) continue;
    (right ? mended : broken).push_back(name);
  }
  if (!broken.empty())
    lines.push_back(fmt::format("{} {} no more{}", broken.size(), plural(broken.size(), "case passes", "cases pass"),
                                named(broken)));
  if (!mended.empty())
    lines.push_back(fmt::format("{} {} more {}{}", mended.size(), plural(mended.size(), "case", "cases"),
                                plural(mended.size(), "passes", "pass"), named(mended)));
}

/// "shared-race of tile", each as often as it was found.
std::multiset<std::string> findings_of(const json& facts) {
  std::multiset<std::string> found;
  for (const json& f : facts.at("safe").at("findings")) {
    const std::string rule = f.at("rule"), variable = f.at("variable");
    found.insert(variable.empty() ? rule : fmt::format("{} of {}", rule, variable));
  }
  return found;
}

std::vector<std::string> only_in(const std::multiset<std::string>& one, const std::multiset<std::string>& other) {
  std::vector<std::string> rest;
  std::set_difference(one.begin(), one.end(), other.begin(), other.end(), std::back_inserter(rest));
  return rest;
}

void add_findings(std::vector<std::string>& lines, const json& before, const json& now) {
  if (before.at("safe").at("status") == "not_measured" || now.at("safe").at("status") == "not_measured") return;
  const auto old = findings_of(before), found = findings_of(now);
  if (const auto added = only_in(found, old); !added.empty())
    lines.push_back(
        fmt::format("{} new {}{}", added.size(), plural(added.size(), "finding", "findings"), named(added)));
  if (const auto gone = only_in(old, found); !gone.empty())
    lines.push_back(fmt::format("{} {} gone{}", gone.size(), plural(gone.size(), "finding", "findings"), named(gone)));
}

bool is_measured(const json& facts) { return facts.at("fast").at("status") != "not_measured"; }

void add_points(std::vector<std::string>& lines, const json& before, const json& now) {
  const auto points = [](const json& facts) {
    return is_measured(facts) ? fmt::format("{:.0f}", facts.at("fast").at("score").get<double>()) : "not measured";
  };
  if (points(before) != points(now))
    lines.push_back(fmt::format("fast {} -> {}{}", points(before), points(now), is_measured(now) ? " of 100" : ""));
}

/// Of all accesses to a memory space, over all launches of the benchmark.
std::optional<double> per_request(const json& facts, std::string_view space, const char* counter) {
  double sum = 0, requests = 0;
  for (const json& l : facts.at("launches"))
    for (const json& a : l.at("accesses")) {
      if (a.at("space") != space) continue;
      sum += a.at(counter).get<double>();
      requests += a.at("requests").get<double>();
    }
  if (requests == 0) return std::nullopt;
  return sum / requests;
}

std::string three_digits(double value) { return fmt::format("{:.3g}", value); }

void add_change(std::vector<std::string>& lines, const std::string& name, const std::optional<double>& before,
                const std::optional<double>& now) {
  if (before && now && three_digits(*before) != three_digits(*now))
    lines.push_back(fmt::format("{} {} -> {}", name, three_digits(*before), three_digits(*now)));
}

std::string words_for_metric(const std::string& name) {
  for (int i = 0; i <= static_cast<int>(quantity::time_among_anchors); ++i)
    if (const metric_description& d = description_of(static_cast<quantity>(i)); d.name == name)
      return std::string(d.says);
  return name;
}

/// Value of each criterion that has one, by its words: "sector efficiency (input)".
std::vector<std::pair<std::string, double>> values_of(const json& facts) {
  std::vector<std::pair<std::string, double>> values;
  for (const json& c : facts.at("fast").at("criteria")) {
    if (!c.at("value").is_number()) continue;
    const std::string name = words_for_metric(c.at("metric")), of = c.at("argument");
    values.emplace_back(of.empty() ? name : fmt::format("{} ({})", name, of), c.at("value").get<double>());
  }
  return values;
}

void add_criteria(std::vector<std::string>& lines, const json& before, const json& now) {
  const auto old = values_of(before);
  for (const auto& [name, value] : values_of(now)) {
    const auto was = std::ranges::find(old, name, &std::pair<std::string, double>::first);
    if (was != old.end()) add_change(lines, name, was->second, value);
  }
}

}  // namespace

bool is_comparable(const json& before, const json& now) {
  return before.is_object() && before.value("format", "") == "simtlab-facts" &&
         before.value("version", 0) == facts_version && before.value("lab", json()) == now.at("lab") &&
         before.value("backend", json()) == now.at("backend");
}

headline headline_of(const json& facts) {
  const bool safe = facts.at("safe").at("status") != "fail", fast = facts.at("fast").at("status") != "fail";
  const std::string judged = facts.at("verdict");
  headline made{judged == name_of(verdict::pass) && safe && fast, ""};
  made.text = made.passed ? "PASS" : "FAIL";
  if (judged == name_of(verdict::unsolved)) {
    made.text += "  nothing was written yet";
    return made;
  }
  made.text += fmt::format("  {} of {} cases right", facts.at("correct").at("passed").get<int>(),
                           facts.at("correct").at("total").get<int>());
  const std::size_t findings = facts.at("safe").at("findings").size();
  if (facts.at("safe").at("status") != "not_measured")
    made.text +=
        findings == 0 ? ", no findings" : fmt::format(", {} {}", findings, plural(findings, "finding", "findings"));
  if (is_measured(facts)) made.text += fmt::format(", fast {:.0f} of 100", facts.at("fast").at("score").get<double>());
  return made;
}

std::vector<std::string> differences(const json& before, const json& now) {
  std::vector<std::string> lines;
  if (!is_comparable(before, now)) return lines;
  try {
    add_cases(lines, before, now);
    add_findings(lines, before, now);
    add_points(lines, before, now);
    add_change(lines, "sectors per request", per_request(before, "global", "sectors"),
               per_request(now, "global", "sectors"));
    add_change(lines, "wavefronts per request of shared memory", per_request(before, "shared", "wavefronts"),
               per_request(now, "shared", "wavefronts"));
    add_criteria(lines, before, now);
  } catch (const json::exception&) {  // the older document was cut off, say: it is no more than a comparison
    lines.clear();
  }
  return lines;
}

}  // namespace simtlab
