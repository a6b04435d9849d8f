#include "judge/score/warp_exchange.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "judge/score/access_costs.h"
#include "judge/score/argument_size.h"
#include "judge/score/number.h"
#include "judge/score/shared_passes.h"
#include "judge/score/threads.h"

namespace simtlab {
namespace {

constexpr double free_idle_requests = 2;  // of a warp: flags and totals of other blocks are read by few lanes
constexpr double shuffles_of_a_warp = 5;  // bring 32 values together, or scan them
constexpr double nobodys_fault = 1.25;    // totals of blocks go through device memory
constexpr double as_large = 0.9;          // as an argument

// Lanes that hand values on through device memory pay as through shared memory, all launches together: reads and writes of
// what holds the argument's bytes, an atomic operation being both. Free are a copy that is made and read, and of each result
// its store, one more turn of reading and storing, and one of bringing it back.
double passes_through_device_memory(const criterion_input& in, const argument_accesses& accesses,
                                    const array_flow& flow) {
  double turns = 0, free = 2 * elements_of(*accesses.argument());
  std::set<std::string> results;
  for (const launch_counters& l : in.measured.launches)
    for (const access_counters& a : l.accesses) {
      if (!holds_data(a) || accesses.is_itself(a) || accesses.is_of_an_input(a) ||
          !flow.holds(a.array, accesses.argument()->name))
        continue;
      turns += number(a.lanes) * (reads(a) && writes(a) ? 2 : 1);
      if (a.array.given && writes(a)) results.insert(a.variable);
    }
  for (const argument_size& a : in.arguments)
    if (results.contains(a.name)) free += 5 * elements_of(a);
  return std::max(0.0, turns - free) / elements_of(*accesses.argument());
}

}  // namespace

std::optional<double> passes_of_a_warp(const criterion_input& in, const argument_accesses& accesses,
                                       const array_flow& flow) {
  const argument_size* const argument = accesses.argument();
  if (argument == nullptr || argument->bytes == 0) return std::nullopt;
  std::vector<std::pair<double, double>> launches;  // passes of a warp, and the share of the argument that was read
  std::uint64_t exchanges = 0;
  for (const launch_counters& l : in.measured.launches) {
    double items = 0, lanes = 0, read = 0, idle = 0;
    for (const access_counters& a : l.accesses) {
      if (!holds_data(a) || !accesses.reads_it(a)) continue;
      lanes += number(a.lanes);
      items += accesses.elements(a);
      read += number(a.bytes);
      idle += idle_lanes(a) / warp;
    }
    if (lanes == 0) continue;
    exchanges += l.warp_value_primitives - l.warp_votes;
    const double warps = number(l.times) * warps_in_grid(l);
    const double working = std::min({warps, std::max(1.0, lanes / warp), std::max(1.0, in.model.operations / warp)});
    const double passes = shared_passes(l, items) + std::max(0.0, idle - free_idle_requests * working);
    launches.emplace_back(passes / working, read / argument->bytes);
  }
  if (launches.empty() || exchanges == 0) return std::nullopt;
  std::ranges::sort(launches, std::greater{});
  double passes = 0, covered = 0;
  for (const auto& [of_a_warp, share] : launches) {
    const double counted = std::min(share, 1 - covered);
    passes += counted * of_a_warp;
    covered += counted;
  }
  return passes / covered + passes_through_device_memory(in, accesses, flow);
}

share_of_work handed_on_in_warps(const criterion_input& in, const argument_accesses& accesses) {
  const argument_size* const argument = accesses.argument();
  if (argument == nullptr || argument->element_bytes == 0) return {};
  double in_warps = 0, in_memory = 0, shuffles = 0, blocks = 0;
  for (const launch_counters& l : in.measured.launches) {
    if (std::ranges::none_of(l.accesses,
                             [&](const access_counters& a) { return holds_data(a) && accesses.reads_it(a); }))
      continue;
    if (l.warp_value_primitives > l.warp_votes) {
      shuffles += number(l.warp_value_primitives - l.warp_votes);
      blocks += threads_at_work(l) / threads_in_block(l);
    }
    in_warps += warp * number(l.warp_value_primitives) / shuffles_of_a_warp;
    std::map<std::uint64_t, double> stored;  // in memory of the program's own
    for (const access_counters& a : l.accesses) {
      if (a.space == "shared" && writes(a)) in_warps += number(a.lanes);
      if (is_device_memory(a) && writes(a) && !a.array.given && a.lanes > 0)
        stored[a.array.id] += accesses.elements(a) * working_lanes(a) / number(a.lanes);
    }
    if (only_moves(l)) continue;
    for (const auto& [array, values] : stored)
      if (values < as_large * number(l.times) * elements_of(*argument)) in_memory += values;
  }
  // Five shuffles bring a warp's values together. A block that makes half as many has them for nothing.
  const double used = blocks == 0 ? 1 : std::clamp(2 * shuffles / (shuffles_of_a_warp * blocks) - 1, 0.0, 1.0);
  share_of_work handed_on{used, ""};
  if (used < 1)
    handed_on.missing = fmt::format("a block makes {:.1f} shuffles, and a warp's values take five", shuffles / blocks);
  if (in_memory == 0) return handed_on;
  handed_on.share = used * std::min(1.0, nobodys_fault * in_warps / (in_warps + in_memory));
  if (handed_on.share < used)
    handed_on.missing = fmt::format("lanes hand on {:.0f} % of their values through device memory",
                                    100 * in_memory / (in_warps + in_memory));
  return handed_on;
}

}  // namespace simtlab
