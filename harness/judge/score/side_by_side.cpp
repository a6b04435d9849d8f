#include "judge/score/side_by_side.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "judge/score/access_costs.h"
#include "judge/score/argument_size.h"
#include "judge/score/array_flow.h"
#include "judge/score/number.h"
#include "judge/score/threads.h"

namespace simtlab {
namespace {

constexpr double least_warps = 32;        // a block of 1,024 threads: who makes all with fewer leaves the GPU idle
constexpr double most_of_a_warp = 16384;  // elements, 512 a lane: a thread for each row is a way of sharing work, too
constexpr double results_of_a_warp =
    2048;  // 64 a lane, as many as lanes keep in registers, where a result is made of so many
constexpr double operations_of_a_sum = 16;  // operations: products of matrices, filters
constexpr double idle_for_nothing = 0.05;   // of what the work needs: one thread of a block may set a variable
constexpr double least_active = 0.5;        // of the lanes of all requests: a tree of partial sums idles half of them
constexpr double requests_that_count = 2;   // of the model's: more with all lanes active make up for no idle lanes

// The warps that would share a launch's requests if each made as many as the busiest one does: warps that have nothing to do,
// or little beside another, are none.
double warps_at_work(const launch_counters& l) {
  double requests = 0;
  for (const access_counters& a : l.accesses)
    if (a.space != "local") requests += number(a.requests);
  const double most = number(l.busiest_warp_requests * l.times);
  return most == 0 ? warps_in_grid(l) : std::min(warps_in_grid(l), requests / most);
}

double share_of_active_lanes(const criterion_input& in) {
  double busy = 0, beside = 0, idle = 0;  // beside: what an access's active lanes are more than its idle ones
  for (const launch_counters& l : in.measured.launches) {
    const bool moves = only_carries(l);
    for (const access_counters& a : l.accesses) {
      if (a.requests == 0) continue;
      const double left = idle_lanes(a) / warp, active = working_lanes(a) / warp;
      idle += left;
      busy += std::min(active, left);
      if (!moves) beside += active - std::min(active, left);
    }
  }
  const double needed =
      std::max((in.model.bytes_read + in.model.bytes_written) / wavefront, in.model.operations / warp);
  if (needed == 0 || idle <= idle_for_nothing * needed) return 1;
  busy += std::min(beside, requests_that_count * needed);
  return std::min(1.0, busy / (busy + idle) / least_active);
}

// Of a launch's lanes, the share that takes values from tiles and stores results. Others may bring values to the tiles.
double lanes_that_make_results(const launch_counters& l, const std::vector<argument_size>& arguments) {
  double lanes = 0, all = 0;
  for (const access_counters& a : l.accesses) {
    const argument_size* const known = argument_called(arguments, a.variable);
    const bool stores = a.array.given && writes(a) && known != nullptr && is_written(known->role);
    if (!stores && !(a.space == "shared" && a.access == "read")) continue;
    lanes += number(a.lanes);
    all += warp * number(a.requests);
  }
  return all == 0 ? 1 : lanes / all;
}

// Of each launch's part of the reads: its warps over those that have 32 values each to read, no more of them than the largest
// argument, or results that are made of many values, are worth. What is read with fewer warps than by the launch that leaves
// most undone counts in full. Launches with more of them count as much as reads each input once: they make up for no others.
double share_of_working_warps(const criterion_input& in) {
  double largest = 0, inputs = 0, results = 0;
  for (const argument_size& a : in.arguments) {
    if (a.element_bytes == 0) continue;
    largest = std::max(largest, elements_of(a));
    (is_written(a.role) ? results : inputs) += elements_of(a);
  }
  const double of_results = in.model.operations < operations_of_a_sum * results ? 0 : results / results_of_a_warp;
  const double most = std::clamp(std::max(largest / most_of_a_warp, of_results), 1.0, least_warps);
  // A reduction's results are few, and few lanes store them.
  const bool is_product = in.model.operations >= operations_of_a_sum * std::max(inputs, results);
  std::vector<std::pair<double, double>> launches;  // the share of the warps that are wanted, and the lanes that read
  for (const launch_counters& l : in.measured.launches) {
    double lanes = 0;
    for (const access_counters& a : l.accesses)
      if (reads(a) && holds_data(a)) lanes += number(a.lanes);
    const double wanted = std::clamp(lanes / number(l.times) / warp, 1.0, most);
    const double warps = warps_at_work(l) * (is_product ? lanes_that_make_results(l, in.arguments) : 1);
    const double share = std::min(1.0, warps / wanted);
    if (share < 1 || !only_carries(l)) launches.emplace_back(share, lanes);
  }
  const auto undone = [](const auto& launch) { return (1 - launch.first) * launch.second; };
  const auto idlest = std::ranges::max_element(launches, {}, undone);
  if (idlest == launches.end() || undone(*idlest) == 0) return 1;
  const double least = idlest->first;
  std::ranges::sort(launches);
  double counted = 0, by_all = 0, left = inputs;
  for (const auto& [share, lanes] : launches) {
    const double some = share <= least ? lanes : std::min(lanes, left);
    if (share > least) left -= some;
    counted += some;
    by_all += some * share;
  }
  return by_all / counted;
}

}  // namespace

share_of_work side_by_side(const criterion_input& in) {
  const double lanes = share_of_active_lanes(in), warps = share_of_working_warps(in);
  const double done = lanes * warps, idle = 100 * (1 - done);
  if (!(done < 1)) return {done, ""};
  if (lanes <= warps)
    return {done, fmt::format("of the work {:.0f} % is done by warps whose other lanes stand idle", idle)};
  return {done, fmt::format("few warps do all of the work, which leaves {:.0f} % of a GPU's smallest part idle", idle)};
}

}  // namespace simtlab
