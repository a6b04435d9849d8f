#include "judge/score/whole_value.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "judge/score/access_costs.h"
#include "judge/score/argument_size.h"
#include "judge/score/memory_passes.h"
#include "judge/score/number.h"
#include "judge/score/reads_elsewhere.h"
#include "judge/score/residency.h"
#include "judge/score/thread_work.h"
#include "judge/score/threads.h"
#include "judge/score/warp_exchange.h"

namespace simtlab {
namespace {

constexpr double requests_of_a_tree =
    3;                                 // of the model's, shared ones included: a tree may be deeper than the textbook's
constexpr double free_passes = 3;      // over an argument: a result may be filled, read and stored once more
constexpr double tries_of_a_warp = 4;  // at one address: one lane's, which swaps until nobody came before it

class second_reading {
 public:
  second_reading(const criterion& c, const std::vector<criterion>& all, const criterion_input& in,
                 const argument_accesses& accesses, const array_flow& flow)
      : criterion_(c),
        all_(all),
        in_(in),
        accesses_(accesses),
        flow_(flow),
        of_(c.metric.of),
        argument_(accesses.argument()),
        sizes_(bytes_by_name(in.arguments)) {}

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
                             moved_bytes, argument_ == nullptr ? 0 : number(argument_->element_bytes)),
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
        return passes_of_a_warp(in_, accesses_, flow_);
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
        return per(elements_of(*argument_), elements_of(*argument_) + read_elsewhere(in_, flow_, {std::string(of_)}));
      }
      case quantity::texture_share: {
        const double fetched =
            sum([&](const access_counters& a) { return a.space == "texture" && accesses_.reads_it(a); }, lanes);
        if (argument_ == nullptr || fetched == 0) return std::nullopt;
        return per(fetched, std::max(fetched, read_elsewhere(in_, flow_, {std::string(of_)})));
      }
      case quantity::stores_per_thread:
        return argument_ == nullptr ? std::nullopt : results_of_a_thread(in_, *argument_, true);
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

  [[nodiscard]] const std::optional<source_place>& where() const { return where_; }

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

  // What a program may do once, by copies and by launches: it brings an argument (`is_own`) to memory of its own, and a result from
  // there (`comes_back`).
  struct copied {
    double moved = 0, brought_back = 0;
  };
  template <class Wanted, class Amount, class Own, class Back>
  [[nodiscard]] copied copied_of(Wanted wanted, Amount amount, Own is_own, Back comes_back) const {
    copied all;
    for (const launch_counters& l : in_.measured.launches) {
      const bool moves = only_moves(l), brings_back = only_brings_back(l, sizes_);
      if (!moves && !brings_back) continue;
      for (const access_counters& a : l.accesses) {
        if (!wanted(a)) continue;
        if (moves && is_own(a)) all.moved += amount(a);
        if (brings_back && comes_back(a)) all.brought_back += amount(a);
      }
    }
    for (const device_copies& c : in_.measured.copies)
      for (const access_counters& a : {reads_of(c), stores_of(c)}) {
        if (!wanted(a)) continue;
        if (is_own(a)) all.moved += amount(a);
        if (c.to.given && comes_back(a)) all.brought_back += amount(a);
      }
    return all;
  }

  // One pass over the argument by copies and kernels that only move, and one over memory of the program's own by kernels that only
  // bring results back, are free.
  template <class Wanted, class Amount>
  double without_one_copy(Wanted wanted, Amount amount, double element) {
    const double all = sum(wanted, amount);
    if (accesses_.through().empty() || argument_ == nullptr) return all;
    const copied free = copied_of(
        wanted, amount, [&](const access_counters& a) { return accesses_.is_itself(a); },
        [&](const access_counters& a) { return !a.array.given && reads(a) && !accesses_.is_fetched_argument(a); });
    double results = 0;
    for (const argument_size& a : in_.arguments)
      if (is_written(a.role)) results += elements_of(a) * element;
    return all - std::min(free.moved, elements_of(*argument_) * element) - std::min(free.brought_back, results);
  }

  // The same for all inputs together.
  double loads_of_inputs() {
    const auto wanted = [&](const access_counters& a) { return accesses_.reads_an_input(a); };
    const auto amount = [&](const access_counters& a) { return accesses_.elements(a); };
    const double all = sum(wanted, amount);
    if (accesses_.through().empty()) return all;
    const copied free = copied_of(
        wanted, amount, [&](const access_counters& a) { return accesses_.is_of_an_input(a); },
        [](const access_counters& a) { return !a.array.given; });
    double inputs = 0, results = 0;
    for (const argument_size& a : in_.arguments)
      if (a.element_bytes > 0) (is_written(a.role) ? results : inputs) += elements_of(a);
    return all - std::min(free.moved, inputs) - std::min(free.brought_back, results);
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
      most = std::max(
          most, none_of(quantity::lane_loads_per_operation) * in_.model.operations * number(argument_->element_bytes));
    return most;
  }

  // Requests of full warps that the textbook makes: of four bytes a lane, or of single elements where it asks for more of them.
  [[nodiscard]] double requests_of_the_model() const {
    double asked = 0;
    for (const work::asked& each : in_.model.asks)
      for (const argument_size& a : in_.arguments)
        if (a.name == each.argument) asked += each.bytes / number(a.element_bytes) / warp;
    return std::max((in_.model.bytes_read + in_.model.bytes_written) / wavefront, asked);
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
    if (!written) free = std::max(free, in_.model.operations * number(argument_->element_bytes) / sector);
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
        if (reads(a) && has_sectors(a) && !a.array.given && flow_.reaches(a.array, of_) &&
            !accesses_.is_fetched_argument(a))
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

  const criterion& criterion_;
  const std::vector<criterion>& all_;
  const criterion_input& in_;
  const argument_accesses& accesses_;
  const array_flow& flow_;
  std::string_view of_;
  const argument_size* argument_;
  argument_bytes sizes_;
  std::optional<source_place> where_;  // the line that costs most of what the last sum was over
};

}  // namespace

whole_value read_whole_value(const criterion& c, const std::vector<criterion>& all, const criterion_input& in,
                             const argument_accesses& accesses, const array_flow& flow) {
  second_reading reading(c, all, in, accesses, flow);
  const std::optional<double> value = reading.value();
  return {value, reading.where()};
}

}  // namespace simtlab
