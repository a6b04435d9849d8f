#include "judge/score/coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "judge/score/access_costs.h"
#include "judge/score/argument_size.h"
#include "judge/score/bypass.h"
#include "judge/score/number.h"
#include "judge/score/reads_elsewhere.h"
#include "judge/score/shared_passes.h"
#include "judge/score/threads.h"
#include "judge/score/warp_exchange.h"

namespace simtlab {
namespace {

constexpr double word = 4;
constexpr double looks_at_an_element =
    12;                                // a load, eight votes that sort a warp's bytes by their bits, a counter's sum
constexpr double least_foreign = 0.5;  // a tile that is turned leaves its diagonal where it is

class coverage {
 public:
  coverage(const criterion& c, const criterion_input& in, const argument_accesses& accesses, const array_flow& flow)
      : what_(c.metric.what),
        of_(c.metric.of),
        in_(in),
        accesses_(accesses),
        flow_(flow),
        argument_(accesses.argument()) {}

  [[nodiscard]] share_of_work read() const {
    switch (what_) {
      case quantity::same_address_lanes: {
        share_of_work met = looked_at_once();
        met *= met_by_atomics();
        return met;
      }
      case quantity::atomics_per_operation:
      case quantity::atomics_per_block:
        return looked_at_once();
      case quantity::shared_wavefronts_per_warp:
        return handed_on_in_warps(in_, accesses_);
      case quantity::wavefronts_over_minimum: {
        share_of_work gone = gone_through_shared();
        gone *= handed_on_in_shared();
        return gone;
      }
      default: {
        const double share = asked_for();
        if (!(share < 1)) return {share, ""};
        return {share, fmt::format("kernels ask for {:.0f} % of the bytes that the work needs", 90 * share)};
      }
    }
  }

 private:
  [[nodiscard]] share_of_work met_by_atomics() const {
    const double without = reduced_without_atomics(in_.measured, in_.arguments, of_, flow_);
    if (!(without > 0)) return {1 - without, ""};
    return {1 - without,
            fmt::format("kernels without atomic operations on {} have already reduced {} bytes that it is made from",
                        of_, without < 1 ? fmt::format("{:.0f} % of the", 100 * without) : "all")};
  }

  // A result of many elements can be made without sharing: a thread for each of them looks at all of the input. Atomic
  // operations are then few, and so they are where each element is looked at once and counted in private. What tells
  // both is how often lanes look at an element of what the result is made from: in memory, in shared memory, or in
  // another lane's register.
  [[nodiscard]] share_of_work looked_at_once() const {
    if (argument_ == nullptr || argument_->element_bytes == 0 || elements_of(*argument_) <= warp) return {};
    if (std::ranges::none_of(accesses_.all(), [&](const access_counters& a) { return accesses_.is_atomic_of_it(a); }))
      return {};
    double elements_read = 0, looks = 0;
    std::set<std::string> inputs;
    for (const launch_counters& l : in_.measured.launches) {
      const bool makes_it = std::ranges::any_of(l.accesses, [&](const access_counters& a) {
        return writes(a) && (accesses_.is_itself(a) || flow_.reaches(a.array, of_));
      });
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
    if (!(share < 1)) return {share, ""};
    return {share,
            fmt::format("lanes look {:.0f} times at each element that {} is made from", looks / elements_read, of_)};
  }

  // A quarter of what the model needs is padding and ragged edges; half of it is a pass that shared memory is there to avoid.
  [[nodiscard]] share_of_work gone_through_shared() const {
    const double wasted = sectors_wasted_without_shared(in_.measured);
    const double needed = (in_.model.bytes_read + in_.model.bytes_written) / sector;
    const double share = needed == 0 ? 1 : std::clamp((0.5 - wasted / needed) / 0.25, 0.0, 1.0);
    if (!(share < 1)) return {share, ""};
    return {share, fmt::format("kernels without shared memory waste {:.0f} sectors, and the work needs {:.0f}", wasted,
                               needed)};
  }

  // Shared memory is there for what threads hand to one another: a tile in which each finds what it has put there itself is a
  // register. Half of what threads read there, and of what the textbook's kernel reads there, is to be another's.
  [[nodiscard]] share_of_work handed_on_in_shared() const {
    if (!of_.empty()) return {};
    double foreign = 0, read = 0;
    for (const launch_counters& l : in_.measured.launches) {
      foreign += number(l.foreign_bytes);
      for (const access_counters& a : l.accesses)
        if (a.space == "shared" && a.access == "read") read += number(a.bytes);
    }
    const double needed = std::max(read, in_.model.shared_bytes / directions);
    const double share = needed == 0 ? 1 : std::min(1.0, foreign / (least_foreign * needed));
    if (!(share < 1)) return {share, ""};
    return {share, fmt::format("of {:.0f} bytes that go through shared memory, threads take {:.0f} that others stored",
                               needed, foreign)};
  }

  // Of the bytes that the work needs.
  [[nodiscard]] double asked_for() const {
    if (argument_ == nullptr || argument_->bytes == 0) {
      if (what_ == quantity::constant_words_per_request) return from_constant_memory();
      const bool of_all = what_ == quantity::moved_bytes_per_operation || what_ == quantity::useful_share ||
                          accesses_.are_of_all_inputs() || what_ == quantity::active_lanes;
      if (!of_all || !of_.empty()) return 1;
      const double read = bytes([](const access_counters& a) { return reads(a) && holds_data(a); });
      return share(read, in_.model.bytes_read);
    }
    const bool written = is_written(argument_->role);
    switch (what_) {
      case quantity::sector_efficiency:
      case quantity::requested_bytes_per_operation:
      case quantity::moved_bytes_per_operation:
      case quantity::lane_loads_per_operation:
      case quantity::stores_per_thread:
        return share(bytes([&](const access_counters& a) {
                       if (what_ == quantity::sector_efficiency && a.space != "global") return false;
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
    return elements == 0 ? 1 : elements / (elements + read_elsewhere(in_, flow_, held));
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

  quantity what_;
  std::string_view of_;
  const criterion_input& in_;
  const argument_accesses& accesses_;
  const array_flow& flow_;
  const argument_size* argument_;
};

}  // namespace

share_of_work covered_work(const criterion& c, const criterion_input& in, const argument_accesses& accesses,
                           const array_flow& flow) {
  return coverage(c, in, accesses, flow).read();
}

}  // namespace simtlab
