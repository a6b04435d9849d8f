#include "judge/score/whole_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "judge/score/access_costs.h"
#include "judge/score/argument_accesses.h"
#include "judge/score/bypass.h"
#include "judge/score/memory_passes.h"
#include "judge/score/number.h"
#include "judge/score/residency.h"
#include "judge/score/shared_passes.h"
#include "judge/score/side_by_side.h"
#include "judge/score/threads.h"

namespace simtlab {
namespace {

constexpr double word = 4;
constexpr double free_idle_requests = 2;  // of a warp: flags and totals of other blocks are read by few lanes
constexpr double requests_of_a_tree =
    3;                             // of the model's, shared ones included: a tree may be deeper than the textbook's
constexpr double free_passes = 3;  // over an argument: a result may be filled, read and stored once more
constexpr double looks_at_an_element =
    12;                                   // a load, eight votes that sort a warp's bytes by their bits, a counter's sum
constexpr double shuffles_of_a_warp = 5;  // bring 32 values together, or scan them
constexpr double tries_of_a_warp = 4;     // at one address: one lane's, which swaps until nobody came before it
constexpr double nobodys_fault = 1.25;    // totals of blocks go through device memory
constexpr double as_large = 0.9;          // as an argument
constexpr double nearly_all = 0.85;       // of the results that threads are to make: tiles hang over edges
constexpr double least_foreign = 0.5;     // a tile that is turned leaves its diagonal where it is

class whole_work {
 public:
  whole_work(const criterion& c, const std::vector<criterion>& all, const criterion_input& in, const array_flow& flow)
      : criterion_(c),
        all_(all),
        in_(in),
        flow_(flow),
        of_(c.metric.of),
        accesses_(c, in, flow),
        argument_(accesses_.argument()),
        sizes_(bytes_by_name(in.arguments)) {}

  whole_reading read() {
    whole_reading r;
    r.value = value();
    if (r.value) {
      share_of_work work{covered(), std::move(missing_)};
      work *= side_by_side(in_);
      missing_ = std::move(work.missing);
      r.covered = work.share * (beyond_threads(*r.value) * beyond_results(*r.value));
    }
    r.missing = std::move(missing_);
    r.through.assign(accesses_.through().begin(), accesses_.through().end());
    r.where = where_;
    return r;
  }

 private:
  template <class Wanted, class Amount>
  double sum(Wanted wanted, Amount amount) {
    double total = 0, worst = 0;
    for (const access_counters& a : accesses_.all()) {
      if (!wanted(a)) continue;
      const double n = amount(a);
      total += n;
      if (n > worst && a.line > 0) {
        worst = n;
        where_ = source_place{a.file, a.line};
      }
    }
    return total;
  }

  // A program may bring an argument to memory of its own once, and a result from there: one pass over the argument by copies and
  // kernels that only move, and one over memory of the program's own by kernels that only bring results back, are free.
  template <class Wanted, class Amount>
  double without_one_copy(Wanted wanted, Amount amount, double element) {
    const double all = sum(wanted, amount);
    if (accesses_.through().empty() || argument_ == nullptr) return all;
    double moved = 0, brought_back = 0, results = 0;
    for (const launch_counters& l : in_.measured.launches)
      for (const access_counters& a : l.accesses) {
        if (!wanted(a)) continue;
        if (accesses_.is_itself(a) && only_moves(l)) moved += amount(a);
        if (!a.array.given && reads(a) && only_brings_back(l, sizes_) && !accesses_.is_fetched_argument(a))
          brought_back += amount(a);
      }
    for (const device_copies& c : in_.measured.copies)
      for (const access_counters& a : {reads_of(c), stores_of(c)}) {
        if (!wanted(a)) continue;
        if (accesses_.is_itself(a)) moved += amount(a);
        if (!a.array.given && reads(a) && c.to.given) brought_back += amount(a);
      }
    for (const argument_size& a : in_.arguments)
      if (is_written(a.role)) results += elements_of(a) * element;
    return all - std::min(moved, elements_of(*argument_) * element) - std::min(brought_back, results);
  }

  // The same for all inputs together.
  double loads_of_inputs() {
    const auto wanted = [&](const access_counters& a) { return accesses_.reads_an_input(a); };
    const auto amount = [&](const access_counters& a) { return accesses_.elements(a); };
    const double all = sum(wanted, amount);
    if (accesses_.through().empty()) return all;
    double moved = 0, brought_back = 0, inputs = 0, results = 0;
    for (const launch_counters& l : in_.measured.launches)
      for (const access_counters& a : l.accesses) {
        if (!wanted(a)) continue;
        if (accesses_.is_of_an_input(a) && only_moves(l)) moved += amount(a);
        if (!a.array.given && only_brings_back(l, sizes_)) brought_back += amount(a);
      }
    for (const device_copies& c : in_.measured.copies) {
      const access_counters a = reads_of(c);
      if (!wanted(a)) continue;
      if (accesses_.is_of_an_input(a)) moved += amount(a);
      if (!a.array.given && c.to.given) brought_back += amount(a);
    }
    for (const argument_size& a : in_.arguments)
      if (a.element_bytes > 0) (is_written(a.role) ? results : inputs) += elements_of(a);
    return all - std::min(moved, inputs) - std::min(brought_back, results);
  }
  // A block of more threads makes a larger tile, whose elements serve more of them: with one result a thread, T threads fetch
  // 2 / √T of a product's operands for each operation. That is no work of a thread's, and earns nothing: where it is fewer than
  // what the criterion gives nothing for, a launch's loads count in proportion.
  double beyond_threads(double value) {
    const double fewer = fraction_earned(value, criterion_.full_value, criterion_.none_value);
    if (!accesses_.are_of_all_inputs() || fewer == 0 || in_.model.operations == 0) return 1;
    double most = 0;
    for (const launch_counters& l : in_.measured.launches) {
      const double threads = threads_in_block(l);
      const double times = criterion_.none_value * std::sqrt(threads) / 2;
      const bool shares = std::ranges::any_of(l.accesses, [](const access_counters& a) { return a.space == "shared"; });
      if (times <= 1 || (only_moves(l) && !shares)) continue;
      most = std::max(most, threads);
      for (const access_counters& a : l.accesses)
        if (accesses_.reads_an_input(a)) value += (times - 1) * accesses_.elements(a) / in_.model.operations;
    }
    const double share = fraction_earned(value, criterion_.full_value, criterion_.none_value) / fewer;
    if (share < 1 && missing_.empty())
      missing_ =
          fmt::format("blocks of {:.0f} threads fetch {:.3g} with one result a thread", most, 2 / std::sqrt(most));
    return share;
  }

  // Nor do blocks of any size need fewer loads for as many results a thread than the textbook's: it fetches a row's part of one
  // operand once for the R results of a thread, and the other operand R times, 1 + R for each R. What is fewer is the block's.
  double beyond_results(double value) {
    const double fewer = fraction_earned(value, criterion_.full_value, criterion_.none_value);
    if (!accesses_.are_of_all_inputs() || fewer == 0) return 1;
    for (const criterion& c : all_) {
      if (c.metric.what != quantity::stores_per_thread) continue;
      const auto result = std::ranges::find(in_.arguments, c.metric.of, &argument_size::name);
      if (result == in_.arguments.end()) continue;
      const double results = results_of_a_thread(*result, false).value_or(c.full_value);
      if (results >= nearly_all * c.full_value) continue;
      const double least = criterion_.full_value * (1 + 1 / results) / (1 + 1 / c.full_value);
      const double share = fraction_earned(least, criterion_.full_value, criterion_.none_value) / fewer;
      if (share >= 1) continue;
      if (missing_.empty())
        missing_ = fmt::format("threads of {:.3g} results each fetch {:.3g} in blocks as the textbook has them",
                               results, least);
      return share;
    }
    return 1;
  }

  [[nodiscard]] double full_of(quantity what) const {
    for (const criterion& c : all_)
      if (c.metric.what == what && c.metric.of == of_) return c.full_value;
    return 0;
  }
  [[nodiscard]] double none_of(quantity what) const {
    for (const criterion& c : all_)
      if (c.metric.what == what && c.metric.of == of_) return c.none_value;
    return 0;
  }

  // Bytes that the textbook asks for in the argument: its size, or what the model says, or the loads that still earn points.
  [[nodiscard]] double asked_by_model() const {
    double most = argument_ == nullptr ? 0 : argument_->bytes;
    for (const work::asked& a : in_.model.asks)
      if (of_ == a.argument) most = std::max(most, a.bytes);
    if (argument_ != nullptr)
      most = std::max(most, none_of(quantity::lane_loads_per_operation) * in_.model.operations *
                                static_cast<double>(argument_->element_bytes));
    return most;
  }

  // Requests of full warps that the textbook makes: of four bytes a lane, or of single elements where it asks for more of them.
  [[nodiscard]] double requests_of_the_model() const {
    double asked = 0;
    for (const work::asked& each : in_.model.asks)
      for (const argument_size& a : in_.arguments)
        if (a.name == each.argument) asked += each.bytes / static_cast<double>(a.element_bytes) / warp;
    return std::max((in_.model.bytes_read + in_.model.bytes_written) / wavefront, asked);
  }

  double covered() {
    const quantity what = criterion_.metric.what;
    if (what == quantity::same_address_lanes) return met_by_atomics() * looked_at_once();
    if (what == quantity::atomics_per_operation || what == quantity::atomics_per_block) return looked_at_once();
    if (what == quantity::shared_wavefronts_per_warp) return handed_on_in_warps();
    if (what == quantity::wavefronts_over_minimum) return gone_through_shared() * handed_on_in_shared();
    const double share = asked_for();
    if (share < 1) missing_ = fmt::format("kernels ask for {:.0f} % of the bytes that the work needs", 90 * share);
    return share;
  }
  double met_by_atomics() {
    const double without = reduced_without_atomics(in_.measured, in_.arguments, of_, flow_);
    if (without > 0)
      missing_ =
          fmt::format("kernels without atomic operations on {} have already reduced {} bytes that it is made from", of_,
                      without < 1 ? fmt::format("{:.0f} % of the", 100 * without) : "all");
    return 1 - without;
  }
  // A result of many elements can be made without sharing: a thread for each of them looks at all of the input. Atomic
  // operations are then few, and so they are where each element is looked at once and counted in private. What tells
  // both is how often lanes look at an element of what the result is made from: in memory, in shared memory, or in
  // another lane's register.
  double looked_at_once() {
    if (argument_ == nullptr || argument_->element_bytes == 0 || elements_of(*argument_) <= warp) return 1;
    if (std::ranges::none_of(accesses_.all(), [&](const access_counters& a) { return accesses_.is_atomic_of_it(a); }))
      return 1;
    double elements_read = 0, looks = 0;
    std::set<std::string> inputs;
    for (const launch_counters& l : in_.measured.launches) {
      const bool makes_it = std::ranges::any_of(
          l.accesses, [&](const access_counters& a) { return writes(a) && (accesses_.is_itself(a) || reaches_it(a)); });
      if (!makes_it) continue;
      double of_inputs = 0, of_block = 0, in_a_word = 1;
      for (const access_counters& a : l.accesses) {
        if (a.access != "read") continue;
        if (a.space == "shared") of_block += number(a.lanes) * std::max(1.0, number(a.width) / word);
        if (!holds_data(a)) continue;
        for (const argument_size& input : in_.arguments) {
          if (is_written(input.role) || input.element_bytes == 0 || !flow_.holds(a.array, input.name)) continue;
          inputs.insert(input.name);
          in_a_word = std::max(in_a_word, word / number(input.element_bytes));
          of_inputs += elements_in(a, input.element_bytes);
          break;
        }
      }
      // A vote shows a lane a bit of each other one's element, a shuffle a word of elements.
      of_block += warp * (number(l.warp_votes) + in_a_word * number(l.warp_value_primitives - l.warp_votes));
      if (of_inputs > 0) looks += of_inputs + of_block;
    }
    for (const argument_size& a : in_.arguments)
      if (inputs.contains(a.name)) elements_read += elements_of(a);
    const double share = looks == 0 ? 1 : std::min(1.0, looks_at_an_element * elements_read / looks);
    if (share < 1)
      missing_ =
          fmt::format("lanes look {:.0f} times at each element that {} is made from", looks / elements_read, of_);
    return share;
  }
  [[nodiscard]] bool reaches_it(const access_counters& a) const { return flow_.reaches(a.array, of_); }

  // Of the values that lanes hand on to others, the share that goes through shuffles and shared memory. A vote that
  // nobody needs is no use where each lane leaves its value in device memory. Copies hand on nothing, and what is as
  // large as the argument may be its copy or a result: passes_through_device_memory counts that.
  double handed_on_in_warps() {
    if (argument_ == nullptr || argument_->element_bytes == 0) return 1;
    double in_warps = 0, in_memory = 0, shuffles = 0, blocks = 0;
    for (const launch_counters& l : in_.measured.launches) {
      if (std::ranges::none_of(l.accesses,
                               [&](const access_counters& a) { return holds_data(a) && accesses_.reads_it(a); }))
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
          stored[a.array.id] += accesses_.elements(a) * working_lanes(a) / number(a.lanes);
      }
      if (only_moves(l)) continue;
      for (const auto& [array, values] : stored)
        if (values < as_large * number(l.times) * elements_of(*argument_)) in_memory += values;
    }
    // Five shuffles bring a warp's values together. A block that makes half as many has them for nothing.
    const double used = blocks == 0 ? 1 : std::clamp(2 * shuffles / (shuffles_of_a_warp * blocks) - 1, 0.0, 1.0);
    if (used < 1)
      missing_ = fmt::format("a block makes {:.1f} shuffles, and a warp's values take five", shuffles / blocks);
    if (in_memory == 0) return used;
    const double share = used * std::min(1.0, nobodys_fault * in_warps / (in_warps + in_memory));
    if (share < used)
      missing_ = fmt::format("lanes hand on {:.0f} % of their values through device memory",
                             100 * in_memory / (in_warps + in_memory));
    return share;
  }

  // A quarter of what the model needs is padding and ragged edges; half of it is a pass that shared memory is there to avoid.
  double gone_through_shared() {
    const double wasted = sectors_wasted_without_shared(in_.measured);
    const double needed = (in_.model.bytes_read + in_.model.bytes_written) / sector;
    const double share = needed == 0 ? 1 : std::clamp((0.5 - wasted / needed) / 0.25, 0.0, 1.0);
    if (share < 1)
      missing_ =
          fmt::format("kernels without shared memory waste {:.0f} sectors, and the work needs {:.0f}", wasted, needed);
    return share;
  }
  // Shared memory is there for what threads hand to one another: a tile in which each finds what it has put there itself is a
  // register. Half of what threads read there, and of what the textbook's kernel reads there, is to be another's.
  double handed_on_in_shared() {
    if (!of_.empty()) return 1;
    double foreign = 0, read = 0;
    for (const launch_counters& l : in_.measured.launches) {
      foreign += number(l.foreign_bytes);
      for (const access_counters& a : l.accesses)
        if (a.space == "shared" && a.access == "read") read += number(a.bytes);
    }
    const double needed = std::max(read, in_.model.shared_bytes / directions);
    const double share = needed == 0 ? 1 : std::min(1.0, foreign / (least_foreign * needed));
    if (share < 1 && missing_.empty())
      missing_ = fmt::format("of {:.0f} bytes that go through shared memory, threads take {:.0f} that others stored",
                             needed, foreign);
    return share;
  }
  // Of the bytes that the work needs.
  double asked_for() {
    if (argument_ == nullptr || argument_->bytes == 0) {
      if (criterion_.metric.what == quantity::constant_words_per_request) return from_constant_memory();
      const bool of_all = criterion_.metric.what == quantity::moved_bytes_per_operation ||
                          criterion_.metric.what == quantity::useful_share || accesses_.are_of_all_inputs() ||
                          criterion_.metric.what == quantity::active_lanes;
      if (!of_all || !of_.empty()) return 1;
      const double read = bytes([](const access_counters& a) { return reads(a) && holds_data(a); });
      return share(read, in_.model.bytes_read);
    }
    const bool written = is_written(argument_->role);
    switch (criterion_.metric.what) {
      case quantity::sector_efficiency:
      case quantity::requested_bytes_per_operation:
      case quantity::moved_bytes_per_operation:
      case quantity::lane_loads_per_operation:
      case quantity::stores_per_thread:
        return share(bytes([&](const access_counters& a) {
                       if (criterion_.metric.what == quantity::sector_efficiency && a.space != "global") return false;
                       return holds_data(a) && (written ? accesses_.writes_it(a) : accesses_.reads_it(a));
                     }),
                     argument_->bytes);
      default:
        return 1;
    }
  }
  // Of the arguments whose bytes constant memory holds, the share that is not read elsewhere.
  [[nodiscard]] double from_constant_memory() const {
    std::set<std::string> held;
    for (const access_counters& a : accesses_.all())
      if (a.space == "constant") held.insert(flow_.origins(a.array).begin(), flow_.origins(a.array).end());
    double elements = 0;
    for (const argument_size& a : in_.arguments)
      if (held.contains(a.name)) elements += elements_of(a);
    return elements == 0 ? 1 : elements / (elements + read_elsewhere(held));
  }
  // Reads of these arguments and of what holds their bytes, but from constant memory. Free are one copy of each argument, and
  // results that are brought back.
  [[nodiscard]] double read_elsewhere(const std::set<std::string>& names) const {
    double elsewhere = 0;
    std::map<std::string, double> copied;
    for (const launch_counters& l : in_.measured.launches) {
      if (only_brings_back(l, sizes_)) continue;
      for (const access_counters& a : l.accesses) {
        if (!is_device_memory(a) || !reads(a)) continue;
        if (a.array.given && names.contains(a.variable))
          (only_moves(l) ? copied[a.variable] : elsewhere) += number(a.lanes);
        else if (!a.array.given &&
                 std::ranges::any_of(names, [&](const std::string& name) { return flow_.holds(a.array, name); }))
          elsewhere += number(a.lanes);
      }
    }
    for (const argument_size& a : in_.arguments)
      if (copied.contains(a.name)) elsewhere += std::max(0.0, copied[a.name] - elements_of(a));
    return elsewhere + read_in_results(names);
  }
  // Reads of results that hold bytes of these arguments. Free is what works in place, reading no more than it stores, and one pass.
  [[nodiscard]] double read_in_results(const std::set<std::string>& names) const {
    double read = 0;
    for (const argument_size& result : in_.arguments) {
      if (!is_written(result.role) || result.element_bytes == 0) continue;
      double beyond = 0;
      for (const launch_counters& l : in_.measured.launches) {
        double balance = 0;
        for (const access_counters& a : l.accesses) {
          if (!a.array.given || a.variable != result.name || !holds_data(a) || a.access == "atomic") continue;
          const bool holds =
              std::ranges::any_of(names, [&](const std::string& name) { return flow_.holds(a.array, name); });
          if (holds) balance += (reads(a) ? 1 : -1) * number(a.bytes) / number(result.element_bytes);
        }
        beyond += std::max(0.0, balance);
      }
      read += std::max(0.0, beyond - elements_of(result));
    }
    return read;
  }

  template <class Wanted>
  [[nodiscard]] double bytes(Wanted wanted) const {
    double total = 0;
    for (const access_counters& a : accesses_.all())
      if (wanted(a)) total += number(a.bytes);
    return total;
  }
  // A tenth is nobody's fault: some results need not look at all.
  static double share(double asked, double needed) { return needed <= 0 ? 1 : std::min(1.0, asked / (0.9 * needed)); }

  std::optional<double> value() {
    const double operations = in_.model.operations;
    const auto lanes = [](const access_counters& a) { return number(a.lanes); };
    switch (criterion_.metric.what) {
      case quantity::sector_efficiency: {
        const double most = asked_by_model() / sector;
        if (most == 0) return std::nullopt;
        const auto of_it = [&](const access_counters& a) { return has_sectors(a) && accesses_.is_of_it(a); };
        const double beyond =
            sum([&](const access_counters& a) { return of_it(a) || (a.space == "constant" && accesses_.is_of_it(a)); },
                wasted_passes) +
            over_reads_that_bring_it_back(wasted_sectors);
        // Useful is no more than the model asks for, and what a copy of the argument asks for is of no use.
        double useful = 0, itself = 0;
        for (const access_counters& a : accesses_.all()) {
          if (!of_it(a)) continue;
          useful += number(a.sectors) - wasted_sectors(a);
          if (accesses_.is_itself(a)) itself += number(a.sectors) - wasted_sectors(a);
        }
        if (!accesses_.through().empty())
          useful -= std::min(itself, argument_ == nullptr ? 0 : argument_->bytes / sector);
        const double again = work_done_again(most);
        useful = std::min(useful, most);
        return beyond + again == 0 ? 1 : std::min(useful / (useful + beyond + again), of_those_that_waste_most());
      }
      case quantity::wavefronts_over_minimum: {
        const double needed = in_.model.shared_bytes / wavefront;
        if (needed == 0) return std::nullopt;
        // A sector too many is a pass too many: conflicts that only moved to global memory are not avoided.
        return 1 + sum(
                       [&](const access_counters& a) {
                         return a.space == "shared" || a.space == "global" || holds_an_argument(a);
                       },
                       [](const access_counters& a) {
                         if (a.space != "shared") return wasted_passes(a);
                         return number(a.wavefronts) - number(std::min(a.wavefronts, a.ideal_wavefronts));
                       }) /
                       needed;
      }
      case quantity::requested_bytes_per_operation:
        return per(sum([&](const access_counters& a) { return is_device_memory(a) && accesses_.is_of_it(a); },
                       [](const access_counters& a) { return number(a.bytes); }),
                   operations);
      case quantity::moved_bytes_per_operation:
        return per(
            without_one_copy([&](const access_counters& a) { return is_device_memory(a) && accesses_.is_of_it(a); },
                             moved_bytes, argument_ == nullptr ? 0 : static_cast<double>(argument_->element_bytes)),
            operations);
      case quantity::useful_share:
        return per(in_.model.bytes_read + in_.model.bytes_written,
                   sum(is_device_memory, moved_bytes) - moved_by_plain_copies(in_.measured, sizes_));
      case quantity::lane_loads_per_operation:
        if (accesses_.are_of_all_inputs()) return per(loads_of_inputs(), operations);
        return per(without_one_copy([&](const access_counters& a) { return holds_data(a) && accesses_.reads_it(a); },
                                    [&](const access_counters& a) { return accesses_.elements(a); }, 1),
                   operations);
      case quantity::atomics_per_operation:
        return per(sum([&](const access_counters& a) { return accesses_.is_atomic_of_it(a); }, lanes), operations);
      case quantity::atomics_per_block:
        return atomics_per_block();
      case quantity::same_address_lanes:
        return same_address_lanes();
      case quantity::shared_wavefronts_per_warp:
        return shared_wavefronts_per_warp();
      case quantity::constant_words_per_request: {
        const auto constant = [](const access_counters& a) { return a.space == "constant"; };
        const double beyond = sum(constant, [](const access_counters& a) {
          return number(a.distinct_words) - number(std::min(a.distinct_words, a.requests));
        });
        const double requests = sum(constant, [](const access_counters& a) { return number(a.requests); });
        return requests == 0 ? std::nullopt : per(beyond + fewest(requests), fewest(requests));
      }
      case quantity::constant_share: {
        const bool is_there = std::ranges::any_of(accesses_.all(), [&](const access_counters& a) {
          return a.space == "constant" && flow_.holds(a.array, of_);
        });
        if (argument_ == nullptr) return std::nullopt;
        if (!is_there) return 0;
        sum([&](const access_counters& a) { return is_device_memory(a) && accesses_.reads_it(a); },
            lanes);  // which line costs most
        return per(elements_of(*argument_), elements_of(*argument_) + read_elsewhere({std::string(of_)}));
      }
      case quantity::texture_share: {
        const double fetched =
            sum([&](const access_counters& a) { return a.space == "texture" && accesses_.reads_it(a); }, lanes);
        if (argument_ == nullptr || fetched == 0) return std::nullopt;
        return per(fetched, std::max(fetched, read_elsewhere({std::string(of_)})));
      }
      case quantity::stores_per_thread:
        return stores_per_thread();
      case quantity::operations_per_pass: {
        double passes =
            sum([](const access_counters&) { return true; }, [](const access_counters& a) { return memory_passes(a); });
        for (const launch_counters& l : in_.measured.launches) passes += number(l.warp_value_primitives);
        return per(operations, passes - moved_by_plain_copies(in_.measured, sizes_) / bytes_of_a_pass);
      }
      case quantity::local_bytes_per_operation:
        return per(kept_in_memory(), operations);
      case quantity::resident_warps:
        return fewest_resident_warps(in_.measured, of_).warps;
      case quantity::active_lanes: {
        const double needed = requests_of_the_model();
        if (needed == 0) return std::nullopt;
        const double idle =
            sum([](const access_counters& a) { return is_device_memory(a) || a.space == "shared"; }, waiting_lanes);
        return warp * needed / (needed + idle / warp + requests_for_nothing(needed));
      }
      default:
        return std::nullopt;
    }
  }

  // The efficiency of the launches that waste most, as many of them as ask for what the loads that earn full points ask for. What
  // others ask for well is no loss, and makes up for nothing: else a program that hardly loads an argument thins its waste by
  // copies of it.
  [[nodiscard]] double of_those_that_waste_most() const {
    const double loads = full_of(quantity::lane_loads_per_operation);
    if (argument_ == nullptr || loads == 0) return 1;
    std::vector<std::pair<double, double>> launches;  // their efficiency, and the fewest sectors of what they ask for
    for (const launch_counters& l : in_.measured.launches) {
      double fewest = 0, touched = 0;
      for (const access_counters& a : l.accesses) {
        if (!has_sectors(a) || !accesses_.is_of_it(a)) continue;
        fewest += number(a.sectors) - wasted_sectors(a);
        touched += number(a.sectors);
      }
      if (fewest > 0) launches.emplace_back(fewest / touched, fewest);
    }
    std::ranges::sort(launches);
    double left = std::max(argument_->bytes, loads * in_.model.operations * number(argument_->element_bytes)) / sector;
    double counted = 0, touched = 0;
    for (const auto& [efficiency, fewest] : launches) {
      const double some = std::min(fewest, left);
      counted += some;
      touched += some / efficiency;
      left -= some;
    }
    return touched == 0 ? 1 : counted / touched;
  }

  // Sectors that are touched well, and for nothing, because threads do each other's work: what lanes ask for beyond three
  // passes over what the model asks for, or an element of an input for each operation, and beyond one pass over all
  // arguments where copies stand for some. Lanes that ask for one
  // word share a sector, so that no mean over requests sees them. Reads of a result in place go with its stores, and
  // lane_loads_per_operation has a bound of its own.
  [[nodiscard]] double work_done_again(double most) const {
    if (argument_ == nullptr || none_of(quantity::lane_loads_per_operation) > 0) return 0;
    const bool written = is_written(argument_->role);
    double asked = 0, free = free_passes * most;
    if (!written) free = std::max(free, in_.model.operations * static_cast<double>(argument_->element_bytes) / sector);
    for (const access_counters& a : accesses_.all()) {
      if (!has_sectors(a) || !accesses_.is_of_it(a)) continue;
      if (written ? writes(a) : reads(a)) asked += sectors_asked_for(a);
      if (written && a.access == "read") asked -= sectors_asked_for(a);
    }
    if (written) asked += over_reads_that_bring_it_back(sectors_asked_for) + asked_for_on_the_way();
    if (!accesses_.through().empty())
      for (const argument_size& a : in_.arguments) free += a.bytes / sector;
    return std::max(0.0, asked - free);
  }

  // A result that comes back from memory of the program's own has the order of its stores there, or that of these reads.
  template <class Amount>
  [[nodiscard]] double over_reads_that_bring_it_back(Amount amount) const {
    double total = 0;
    for (const launch_counters& l : in_.measured.launches) {
      if (!only_brings_back(l, sizes_)) continue;
      const auto stores_it = [&](const access_counters& a) { return writes(a) && accesses_.is_itself(a); };
      if (std::ranges::none_of(l.accesses, stores_it)) continue;
      for (const access_counters& a : l.accesses)
        if (reads(a) && has_sectors(a) && !accesses_.is_fetched_argument(a)) total += amount(a);
    }
    return total;
  }

  // Where each result is made of one value, no launch that stores it needs to ask more than once for what it has in memory of the
  // program's own. Lanes that all ask for one word and keep one of many bring a result back in an order that nobody would see.
  [[nodiscard]] double asked_for_on_the_way() const {
    double results = 0, asked = 0;
    for (const argument_size& a : in_.arguments)
      if (is_written(a.role) && a.element_bytes > 0) results += elements_of(a);
    if (in_.model.operations > results) return 0;
    for (const launch_counters& l : in_.measured.launches) {
      const auto stores_it = [&](const access_counters& a) { return writes(a) && accesses_.is_itself(a); };
      if (only_brings_back(l, sizes_) || std::ranges::none_of(l.accesses, stores_it)) continue;
      for (const access_counters& a : l.accesses)
        if (reads(a) && has_sectors(a) && !a.array.given && reaches_it(a) && !accesses_.is_fetched_argument(a))
          asked += sectors_asked_for(a);
    }
    return asked;
  }

  // Bytes that threads keep in memory of their own: in local memory, where an index decides, or in global memory, beyond some
  // passes over what the model asks for.
  double kept_in_memory() {
    const double asked = sum([](const access_counters& a) { return is_device_memory(a); },
                             [](const access_counters& a) { return number(a.bytes); });
    const double local = sum([](const access_counters& a) { return a.space == "local"; },
                             [](const access_counters& a) { return number(a.indexed_bytes); });
    return local + std::max(0.0, asked - free_passes * (in_.model.bytes_read + in_.model.bytes_written));
  }

  static std::optional<double> per(double above, double below) {
    return below == 0 ? std::nullopt : std::optional(above / below);
  }
  // A table or a filter in constant memory is read by one word a request; an argument that a copy brought there need not be.
  [[nodiscard]] bool holds_an_argument(const access_counters& a) const {
    return a.space == "constant" && !flow_.origins(a.array).empty();
  }
  // Lanes that all compute what one of them would, in steps that nobody needs, are as good as idle ones.
  [[nodiscard]] double requests_for_nothing(double needed) const {
    double made = 0;
    for (const access_counters& a : accesses_.all())
      if (is_device_memory(a) || a.space == "shared") made += number(a.requests);
    return std::max(0.0, made - requests_of_a_tree * (needed + in_.model.shared_bytes / wavefront));
  }
  // Requests that divide: no more than one for every 32 operations.
  [[nodiscard]] double fewest(double requests) const {
    return in_.model.operations == 0 ? requests : std::min(requests, std::max(1.0, in_.model.operations / warp));
  }
  std::optional<double> atomics_per_block() {
    double blocks = 0;
    for (const launch_counters& l : in_.measured.launches)
      if (std::ranges::any_of(l.accesses, [&](const access_counters& a) { return accesses_.is_atomic_of_it(a); }))
        blocks += number(l.times * l.grid[0] * l.grid[1] * l.grid[2]);
    if (blocks == 0) return 0;
    return per(sum([&](const access_counters& a) { return accesses_.is_atomic_of_it(a); },
                   [](const access_counters& a) { return number(a.lanes); }),
               fewest(blocks));
  }

  // Turns that lanes wait beyond the first, over the requests that earn all points of atomics_per_operation.
  std::optional<double> same_address_lanes() {
    const auto atomic = [&](const access_counters& a) {
      return a.access == "atomic" &&
             (accesses_.is_atomic_of_it(a) || (argument_ == nullptr && a.space == "shared" && a.variable == of_));
    };
    double requests = sum(atomic, [](const access_counters& a) { return number(a.requests); });
    if (requests == 0) return std::nullopt;
    double beyond = sum(atomic, [](const access_counters& a) {
      return number(a.same_address_lanes) - number(std::min(a.same_address_lanes, a.requests));
    });
    beyond = std::max(beyond, turns_at_one_address());
    if (const double full = full_of(quantity::atomics_per_operation); full > 0)
      requests = std::min(requests, std::max(1.0, full * in_.model.operations / warp));
    return 1 + beyond / fewest(requests);
  }

  // Lanes that go one by one to the one element of a result wait like lanes that go together. One lane of a warp may
  // go for each 32 values, and some times more where it swaps.
  [[nodiscard]] double turns_at_one_address() const {
    if (argument_ == nullptr || argument_->element_bytes == 0 || elements_of(*argument_) > 1) return 0;
    double lanes = 0, warps = 0;
    for (const launch_counters& l : in_.measured.launches) {
      double of_launch = 0;
      for (const access_counters& a : l.accesses)
        if (accesses_.is_atomic_of_it(a)) of_launch += number(a.lanes);
      lanes += of_launch;
      if (of_launch > 0) warps += number(l.times) * warps_in_grid(l);
    }
    return std::max(0.0, lanes - tries_of_a_warp * warps - in_.model.operations / warp);
  }

  // A warp counts when it reads 32 elements of its own; lanes that idle in a request for device memory cost like passes
  // through shared memory, for they are what a kernel pays that leaves the work to one lane. The launches that pay most count
  // until they have read the argument once, so that none thins another's passes.
  std::optional<double> shared_wavefronts_per_warp() {
    if (argument_ == nullptr || argument_->bytes == 0) return std::nullopt;
    std::vector<std::pair<double, double>> launches;  // passes of a warp, and the share of the argument that was read
    std::uint64_t exchanges = 0;
    for (const launch_counters& l : in_.measured.launches) {
      double items = 0, lanes = 0, read = 0, idle = 0;
      for (const access_counters& a : l.accesses) {
        if (!holds_data(a) || !accesses_.reads_it(a)) continue;
        lanes += number(a.lanes);
        items += accesses_.elements(a);
        read += number(a.bytes);
        idle += idle_lanes(a) / warp;
      }
      if (lanes == 0) continue;
      exchanges += l.warp_value_primitives - l.warp_votes;
      const double warps = number(l.times) * warps_in_grid(l);
      const double working = std::min({warps, std::max(1.0, lanes / warp), std::max(1.0, in_.model.operations / warp)});
      const double passes = shared_passes(l, items) + std::max(0.0, idle - free_idle_requests * working);
      launches.emplace_back(passes / working, read / argument_->bytes);
    }
    if (launches.empty() || exchanges == 0) return std::nullopt;
    std::ranges::sort(launches, std::greater{});
    double passes = 0, covered = 0;
    for (const auto& [of_a_warp, share] : launches) {
      const double counted = std::min(share, 1 - covered);
      passes += counted * of_a_warp;
      covered += counted;
    }
    return passes / covered + passes_through_device_memory();
  }

  // Lanes that hand values on through device memory pay as through shared memory, all launches together: reads and writes of
  // what holds the argument's bytes, an atomic operation being both. Free are a copy that is made and read, and of each result
  // its store, one more turn of reading and storing, and one of bringing it back.
  [[nodiscard]] double passes_through_device_memory() const {
    double turns = 0, free = 2 * elements_of(*argument_);
    std::set<std::string> results;
    for (const launch_counters& l : in_.measured.launches)
      for (const access_counters& a : l.accesses) {
        if (!holds_data(a) || accesses_.is_itself(a) || accesses_.is_of_an_input(a) || !flow_.holds(a.array, of_))
          continue;
        turns += number(a.lanes) * (reads(a) && writes(a) ? 2 : 1);
        if (a.array.given && writes(a)) results.insert(a.variable);
      }
    for (const argument_size& a : in_.arguments)
      if (results.contains(a.name)) free += 5 * elements_of(a);
    return std::max(0.0, turns - free) / elements_of(*argument_);
  }

  // Elements of the result over the threads that make them: those of a launch count in full when it reads an element once an
  // operation, from memory or by a shuffle, and else in proportion. Who brings results back has made none.
  std::optional<double> stores_per_thread() {
    return argument_ == nullptr ? std::nullopt : results_of_a_thread(*argument_, true);
  }
  // `movers`: with the threads of launches that only move.
  [[nodiscard]] std::optional<double> results_of_a_thread(const argument_size& result, bool movers) const {
    if (in_.model.operations == 0 || result.element_bytes == 0) return std::nullopt;
    double threads = 0;
    for (const launch_counters& l : in_.measured.launches) {
      if (only_brings_back(l, sizes_) || (!movers && only_moves(l))) continue;
      double read = warp * number(l.warp_value_primitives);
      for (const access_counters& a : l.accesses)
        if (reads(a) && a.space != "local") read += elements_in(a, result.element_bytes);
      threads += threads_at_work(l) * std::min(1.0, read / in_.model.operations);
    }
    if (threads == 0) return std::nullopt;
    return elements_of(result) / threads;
  }

  const criterion& criterion_;
  const std::vector<criterion>& all_;
  const criterion_input& in_;
  const array_flow& flow_;
  std::string_view of_;
  argument_accesses accesses_;
  const argument_size* argument_;
  argument_bytes sizes_;
  std::optional<source_place> where_;
  std::string missing_;
};

}  // namespace

whole_reading read_whole_work(const criterion& c, const std::vector<criterion>& all, const criterion_input& in,
                              const array_flow& flow) {
  return whole_work(c, all, in, flow).read();
}

}  // namespace simtlab
