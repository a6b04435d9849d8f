#include "judge/render/nsight_csv.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "judge/gpu/nsight_names.h"
#include "judge/render/fidelity.h"
#include "judge/wording.h"

namespace simtlab {
namespace {

std::string quoted_value(std::string_view value) {
  std::string text = "\"";
  for (const char c : value) text += c == '"' ? "\"\"" : std::string(1, c);
  return text + '"';
}

std::string line_of(const std::vector<std::string>& values) {
  std::string text;
  for (const std::string& value : values) text += (text.empty() ? "" : ",") + quoted_value(value);
  return text + "\n";
}

/// Of several names of one counter the first has all of it.
bool has_value(const nsight_name& n) {
  const auto first = std::ranges::find_if(nsight_names, [&](const nsight_name& other) {
    return std::string_view(other.memory) == n.memory && std::string_view(other.access) == n.access &&
           other.value == n.value;
  });
  return first == &n;
}

/// What Nsight Compute counts apart from stores to shared memory: those of asynchronous copies.
std::uint64_t counted_apart(const access_counters& a, const nsight_name& n) {
  return n.value == &access_counters::requests     ? a.copied_requests
         : n.value == &access_counters::wavefronts ? a.copied_wavefronts
                                                   : 0;
}

/// What it counts as shared memory's, also where the address led to global memory.
std::uint64_t counted_with(const access_counters& a, const nsight_name& n) {
  const bool is_of_shared = std::string_view(n.memory) == "shared" && n.value == &access_counters::wavefronts;
  return is_of_shared && a.access == n.access ? a.generic_wavefronts : 0;
}

std::uint64_t sum_of(const launch_counters& l, const nsight_name& n) {
  std::uint64_t sum = 0;
  for (const access_counters& a : l.accesses) {
    sum += counted_with(a, n);
    if (a.space == n.memory && a.access == n.access) sum += a.*n.value - counted_apart(a, n);
  }
  return sum;
}

std::string extents_text(const coordinates& c) { return fmt::format("({}, {}, {})", c[0], c[1], c[2]); }

std::string unit_of(std::string_view counter) {
  return counter == "sectors" ? "sector" : counter == "requests" ? "request" : "";
}

/// As remarks of the tool's own, which readers of its pages leave out: which metrics are exact, and which follow a model.
std::string fidelity_remarks() {
  std::map<std::string_view, std::set<std::string_view>> names;
  for (const nsight_name& n : nsight_names) names[fidelity_of(n.counter)].insert(n.name);
  std::string text;
  for (const auto& [word, of_word] : names) text += fmt::format("==SIMTLAB== {}: {}\n", word, fmt::join(of_word, " "));
  return text;
}

}  // namespace

std::string nsight_csv(const std::vector<launch_counters>& launches) {
  std::vector<std::string> head{"ID",         "Process ID", "Process Name", "Kernel Name",
                                "Block Size", "Grid Size",  "Device",       "CC"};
  std::vector<std::string> units(head.size());
  for (const nsight_name& n : nsight_names) {
    head.emplace_back(n.name);
    units.push_back(unit_of(n.counter));
  }
  head.insert(head.end(), {"launch__shared_mem_per_block_dynamic", "launch__shared_mem_per_block_static"});
  units.insert(units.end(), {"byte/block", "byte/block"});
  std::string text = fidelity_remarks() + line_of(head) + line_of(units);
  std::size_t id = 0;
  for (const launch_counters& l : launches) {
    std::vector<std::string> values{std::to_string(id++), "0", "simtlab", l.kernel, extents_text(l.block),
                                    extents_text(l.grid), "0", "0.0"};
    for (const nsight_name& n : nsight_names) values.push_back(grouped(has_value(n) ? sum_of(l, n) : 0));
    values.insert(values.end(), {"0", grouped(l.shared_bytes)});  // both are known as their sum alone
    text += line_of(values);
  }
  return text;
}

}  // namespace simtlab
