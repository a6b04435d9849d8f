#include "judge/score/thread_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "judge/score/array_flow.h"
#include "judge/score/number.h"
#include "judge/score/threads.h"

namespace simtlab {
namespace {

constexpr double nearly_all = 0.85;  // of the results that threads are to make: tiles hang over edges

// A block of more threads makes a larger tile, whose elements serve more of them: with one result a thread, T threads fetch
// 2 / √T of a product's operands for each operation. That is no work of a thread's, and earns nothing: where it is fewer than
// what the criterion gives nothing for, a launch's loads count in proportion.
share_of_work beyond_threads(const criterion& c, const criterion_input& in, const argument_accesses& accesses,
                             double value) {
  const double fewer = fraction_earned(value, c.full_value, c.none_value);
  if (fewer == 0 || in.model.operations == 0) return {};
  double most = 0;
  for (const launch_counters& l : in.measured.launches) {
    const double threads = threads_in_block(l);
    const double times = c.none_value * std::sqrt(threads) / 2;
    const bool shares = std::ranges::any_of(l.accesses, [](const access_counters& a) { return a.space == "shared"; });
    if (times <= 1 || (only_moves(l) && !shares)) continue;
    most = std::max(most, threads);
    for (const access_counters& a : l.accesses)
      if (accesses.reads_an_input(a)) value += (times - 1) * accesses.elements(a) / in.model.operations;
  }
  const double share = fraction_earned(value, c.full_value, c.none_value) / fewer;
  if (!(share < 1)) return {share, ""};
  return {share,
          fmt::format("blocks of {:.0f} threads fetch {:.3g} with one result a thread", most, 2 / std::sqrt(most))};
}

// Nor do blocks of any size need fewer loads for as many results a thread than the textbook's: it fetches a row's part of one
// operand once for the R results of a thread, and the other operand R times, 1 + R for each R. What is fewer is the block's.
share_of_work beyond_results(const criterion& c, const std::vector<criterion>& all, const criterion_input& in,
                             double value) {
  const double fewer = fraction_earned(value, c.full_value, c.none_value);
  if (fewer == 0) return {};
  for (const criterion& of_threads : all) {
    if (of_threads.metric.what != quantity::stores_per_thread) continue;
    const argument_size* const result = argument_called(in.arguments, of_threads.metric.of);
    if (result == nullptr) continue;
    const double wanted = of_threads.full_value;
    const double results = results_of_a_thread(in, *result, false).value_or(wanted);
    if (results >= nearly_all * wanted) continue;
    const double least = c.full_value * (1 + 1 / results) / (1 + 1 / wanted);
    const double share = fraction_earned(least, c.full_value, c.none_value) / fewer;
    if (share >= 1) continue;
    return {share, fmt::format("threads of {:.3g} results each fetch {:.3g} in blocks as the textbook has them",
                               results, least)};
  }
  return {};
}

}  // namespace

std::optional<double> results_of_a_thread(const criterion_input& in, const argument_size& result, bool movers) {
  if (in.model.operations == 0 || result.element_bytes == 0) return std::nullopt;
  const argument_bytes sizes = bytes_by_name(in.arguments);
  double threads = 0;
  for (const launch_counters& l : in.measured.launches) {
    if (only_brings_back(l, sizes) || (!movers && only_moves(l))) continue;
    double read = warp * number(l.warp_value_primitives);
    for (const access_counters& a : l.accesses)
      if (reads(a) && a.space != "local") read += elements_in(a, result.element_bytes);
    threads += threads_at_work(l) * std::min(1.0, read / in.model.operations);
  }
  if (threads == 0) return std::nullopt;
  return elements_of(result) / threads;
}

share_of_work fetched_by_threads(const criterion& c, const std::vector<criterion>& all, const criterion_input& in,
                                 const argument_accesses& accesses, double value) {
  if (!accesses.are_of_all_inputs()) return {};
  share_of_work fetched = beyond_threads(c, in, accesses, value);
  fetched *= beyond_results(c, all, in, value);
  return fetched;
}

}  // namespace simtlab
