#include "spec/lab_core.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace simtlab {
namespace {

bool measures_an_argument(quantity q) {
  return q == quantity::sector_efficiency || q == quantity::requested_bytes_per_operation ||
         q == quantity::lane_loads_per_operation || q == quantity::atomics_per_operation;
}

void check_anchors(const criterion& c, std::vector<std::string>& found) {
  const auto& name = description_of(c.metric.what).name;
  if ((c.metric.what == quantity::time_among_anchors) != !c.anchors.empty())
    found.push_back(
        fmt::format("the criterion {} {}", name, c.anchors.empty() ? "has no anchors" : "takes no anchors"));
  if (c.anchors.empty()) return;
  if (c.anchors.size() < 2 || c.anchors.front().mark != 1)
    found.push_back(
        fmt::format("the criterion {} needs an anchor of mark 1, mostly the solution, and behind it at least one "
                    "mistake with its mark",
                    name));
  for (std::size_t i = 1; i < c.anchors.size(); ++i)
    if (!(c.anchors[i].mark < c.anchors[i - 1].mark) || c.anchors[i].mark < 0)
      found.push_back(fmt::format("the anchor {} has the mark {}: marks fall from 1 to 0 at the least",
                                  c.anchors[i].name, c.anchors[i].mark));
}

std::string array_names(const lab& of) {
  std::string names;
  for (const argument_description& a : of.arguments)
    if (is_array(a.role)) names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", a.name);
  return names.empty() ? "there is none" : names;
}

void check_criterion(const lab& of, const criterion& c, std::vector<std::string>& found) {
  const auto& metric = description_of(c.metric.what);
  if (c.full_value == c.none_value)
    found.push_back(
        fmt::format("the criterion {} has full_at and none_at at the same value {}", metric.name, c.full_value));
  if ((c.full_value > c.none_value) != metric.higher_is_better && c.full_value != c.none_value)
    found.push_back(fmt::format("the criterion {} gives more points for {} values, but {} values are better",
                                metric.name, metric.higher_is_better ? "lower" : "higher",
                                metric.higher_is_better ? "higher" : "lower"));
  check_anchors(c, found);
  if (!(c.share > 0)) found.push_back(fmt::format("the criterion {} has the weight {}", metric.name, c.share));
  if (c.hint.empty()) found.push_back(fmt::format("the criterion {} has no hint", metric.name));
  const bool is_argument = std::ranges::any_of(
      of.arguments, [&](const argument_description& a) { return a.name == c.metric.of && is_array(a.role); });
  const bool of_all_inputs = c.metric.what == quantity::lane_loads_per_operation && c.metric.of.empty();
  if (measures_an_argument(c.metric.what) && !is_argument && !of_all_inputs)
    found.push_back(fmt::format("the criterion {} is of \"{}\", which is no array among .parameters: {}", metric.name,
                                c.metric.of, array_names(of)));
}

}  // namespace

std::vector<std::string> contradictions(const lab& of) {
  std::vector<std::string> found;
  std::set<std::string> names;
  for (const argument_description& a : of.arguments) {
    if (a.name.empty()) found.emplace_back("a name in .parameters is empty");
    if (!names.insert(a.name).second) found.push_back(fmt::format("two parameters are called \"{}\"", a.name));
  }
  if (std::ranges::none_of(of.arguments, [](const argument_description& a) { return is_written(a.role); }))
    found.emplace_back("the entry has no out<T> or inout<T>: there is nothing to compare");

  if (of.cases.empty()) found.emplace_back(".cases is empty");
  names.clear();
  for (const test_case& c : of.cases) {
    if (!names.insert(c.name()).second) found.push_back(fmt::format("two cases are called \"{}\"", c.name()));
    if (c.fault().nth > 0 && of.kind == entry_kind::device)
      found.push_back(
          fmt::format("the case \"{}\" lets a CUDA call fail, but in a device entry the calls are the "
                      "harness's own; host_lab_spec<...> has such cases",
                      c.name()));
    if (c.fault().nth > 0 && !of.returns_error)
      found.push_back(
          fmt::format("the case \"{}\" lets a CUDA call fail, but the entry returns no cudaError_t", c.name()));
  }
  if (of.benchmark.emulator.empty()) found.emplace_back(".benchmark has no sizes for the emulator");
  if (of.benchmark.gpu.empty()) found.emplace_back(".benchmark has no sizes for a GPU");
  for (const criterion& c : of.criteria) check_criterion(of, c, found);
  if (of.pass_at < 0 || of.pass_at > 100) found.push_back(fmt::format(".pass_at is {}, outside 0..100", of.pass_at));
  return found;
}

}  // namespace simtlab
