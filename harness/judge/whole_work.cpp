#include "judge/whole_work.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

namespace simtlab {
namespace {

constexpr double sector = 32, warp = 32, wavefront = 128;
constexpr double free_idle_requests = 2;  // of a warp: flags and totals of other blocks are read by few lanes

double number(std::uint64_t n) { return static_cast<double>(n); }

bool reads(const access_counters& a) { return a.access != "write"; }
bool writes(const access_counters& a) { return a.access != "read"; }

// A copy inside the device, as if a kernel had made it with full requests.
access_counters as_access(const device_copies& c, bool source) {
  access_counters a;
  a.space = "global";
  a.access = source ? "read" : "write";
  a.variable = source ? c.from_name : c.to_name;
  a.array = source ? c.from : c.to;
  a.bytes = c.bytes;
  a.sectors = source ? c.sectors_read : c.sectors_written;
  a.minimum_sectors = (c.bytes + 31) / 32;
  return a;
}

class whole_work {
 public:
  whole_work(const criterion& c, const std::vector<criterion>& all, const criterion_input& in, const array_flow& flow)
      : criterion_(c), all_(all), in_(in), flow_(flow), of_(c.metric.of) {
    const auto known = std::ranges::find(in.arguments, of_, &argument_size::name);
    if (known != in.arguments.end()) argument_ = &*known;
    std::set<std::uint64_t> constant;
    for (const launch_counters& l : in.measured.launches)
      for (const access_counters& a : l.accesses) {
        accesses_.push_back(a);
        if (a.space == "constant") constant.insert(a.array.id);
      }
    for (const device_copies& copy : in.measured.copies)
      for (const bool source : {true, false}) {
        accesses_.push_back(as_access(copy, source));
        if (constant.contains(accesses_.back().array.id)) accesses_.back().space = "constant";
      }
  }

  whole_reading read() {
    for (const access_counters& a : accesses_)
      if (!of_.empty() && !is_itself(a) && is_device_memory(a) && is_of_it(a))
        through_.insert(a.variable.empty() ? "memory without a name" : a.variable);
    whole_reading r;
    r.value = value();
    if (r.value) r.covered = covered();
    r.through.assign(through_.begin(), through_.end());
    r.where = where_;
    return r;
  }

 private:
  [[nodiscard]] bool is_itself(const access_counters& a) const { return a.array.given && a.variable == of_; }
  [[nodiscard]] bool is_input(const array_identity& array, std::string_view name) const {
    if (!array.given) return false;
    const auto known = std::ranges::find(in_.arguments, name, &argument_size::name);
    return known != in_.arguments.end() && !is_written(known->role);
  }
  // An atomic on another result reads what it adds to, and carries nothing of the argument.
  [[nodiscard]] bool reads_it(const access_counters& a) const {
    if (is_itself(a)) return reads(a);
    if (is_input(a.array, a.variable) || !reads(a)) return false;
    if (a.array.given && a.access == "atomic" && criterion_.metric.what != quantity::lane_loads_per_operation)
      return false;
    return flow_.holds(a.array, of_);
  }
  [[nodiscard]] bool writes_it(const access_counters& a) const {
    if (is_itself(a)) return writes(a);
    return writes(a) && !a.array.given && flow_.reaches(a.array, of_);
  }
  // What counts for an argument: its own accesses, and those of arrays that stand for it.
  [[nodiscard]] bool is_of_it(const access_counters& a) const {
    if (of_.empty()) return true;
    return is_itself(a) || reads_it(a) || writes_it(a);
  }

  template <class Wanted, class Amount>
  double sum(Wanted wanted, Amount amount) {
    double total = 0, worst = 0;
    for (const access_counters& a : accesses_) {
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

  // A program may bring an argument to memory of its own once, and a result from there: one pass over the argument, and one
  // over memory of the program's own by kernels that store results, are free.
  template <class Wanted, class Amount>
  double without_one_copy(Wanted wanted, Amount amount, double element) {
    const double all = sum(wanted, amount);
    if (through_.empty() || argument_ == nullptr) return all;
    double itself = 0, brought_back = 0, results = 0;
    for (const access_counters& a : accesses_)
      if (is_itself(a) && wanted(a)) itself += amount(a);
    for (const launch_counters& l : in_.measured.launches) {
      if (std::ranges::none_of(l.accesses, [](const access_counters& a) { return a.array.given && writes(a); }))
        continue;
      for (const access_counters& a : l.accesses)
        if (!a.array.given && reads(a) && wanted(a)) brought_back += amount(a);
    }
    for (const argument_size& a : in_.arguments)
      if (is_written(a.role)) results += elements_of(a) * element;
    return all - std::min(itself, elements_of(*argument_) * element) - std::min(brought_back, results);
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

  static double elements_of(const argument_size& a) { return a.bytes / static_cast<double>(a.element_bytes); }

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

  double covered() {
    if (argument_ == nullptr || argument_->bytes == 0) {
      if (criterion_.metric.what == quantity::constant_words_per_request) return from_constant_memory();
      const bool of_all = criterion_.metric.what == quantity::moved_bytes_per_operation ||
                          criterion_.metric.what == quantity::active_lanes;
      if (!of_all || !of_.empty()) return 1;
      const double read =
          bytes([](const access_counters& a) { return reads(a) && (is_device_memory(a) || a.space == "constant"); });
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
                       return (is_device_memory(a) || a.space == "constant") && (written ? writes_it(a) : reads_it(a));
                     }),
                     argument_->bytes);
      default:
        return 1;
    }
  }
  // Of the arguments whose bytes constant memory holds, the share that is not read elsewhere.
  [[nodiscard]] double from_constant_memory() const {
    std::set<std::string> held;
    for (const access_counters& a : accesses_)
      if (a.space == "constant") held.insert(flow_.origins(a.array).begin(), flow_.origins(a.array).end());
    double elements = 0, elsewhere = 0;
    for (const argument_size& a : in_.arguments)
      if (held.contains(a.name)) elements += elements_of(a);
    for (const access_counters& a : accesses_) {
      const bool copy = std::ranges::any_of(held, [&](const std::string& name) {
        return a.array.given ? a.variable == name : flow_.holds(a.array, name);
      });
      if (copy && is_device_memory(a) && reads(a)) elsewhere += number(a.lanes);
    }
    return elements == 0 ? 1 : elements / (elements + elsewhere);
  }

  template <class Wanted>
  [[nodiscard]] double bytes(Wanted wanted) const {
    double total = 0;
    for (const access_counters& a : accesses_)
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
        const auto of_it = [&](const access_counters& a) { return a.space == "global" && is_of_it(a); };
        const double beyond = sum(of_it, wasted_sectors);
        // Useful is no more than the model asks for, and what a copy of the argument asks for is of no use.
        double useful = 0, itself = 0;
        for (const access_counters& a : accesses_) {
          if (!of_it(a)) continue;
          useful += number(a.sectors) - wasted_sectors(a);
          if (is_itself(a)) itself += number(a.sectors) - wasted_sectors(a);
        }
        if (!through_.empty()) useful -= std::min(itself, argument_ == nullptr ? 0 : argument_->bytes / sector);
        useful = std::min(useful, most);
        return beyond == 0 ? 1 : useful / (useful + beyond);
      }
      case quantity::wavefronts_over_minimum: {
        const double needed = in_.model.shared_bytes / wavefront;
        if (needed == 0) return std::nullopt;
        // A sector too many is a pass too many: conflicts that only moved to global memory are not avoided.
        return 1 + sum([](const access_counters& a) { return a.space == "shared" || a.space == "global"; },
                       [](const access_counters& a) {
                         if (a.space == "global") return wasted_sectors(a);
                         return number(a.wavefronts) - number(std::min(a.wavefronts, a.minimum_wavefronts));
                       }) /
                       needed;
      }
      case quantity::requested_bytes_per_operation:
        return per(sum([&](const access_counters& a) { return is_device_memory(a) && is_of_it(a); },
                       [](const access_counters& a) { return number(a.bytes); }),
                   operations);
      case quantity::moved_bytes_per_operation:
        return per(
            without_one_copy([&](const access_counters& a) { return is_device_memory(a) && is_of_it(a); }, moved_bytes,
                             argument_ == nullptr ? 0 : static_cast<double>(argument_->element_bytes)),
            operations);
      case quantity::lane_loads_per_operation:
        return per(
            without_one_copy(
                [&](const access_counters& a) { return (is_device_memory(a) || a.space == "constant") && reads_it(a); },
                lanes, 1),
            operations);
      case quantity::atomics_per_operation:
        return per(sum([&](const access_counters& a) { return is_atomic_of_it(a); }, lanes), operations);
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
        const bool is_there = std::ranges::any_of(
            accesses_, [&](const access_counters& a) { return a.space == "constant" && flow_.holds(a.array, of_); });
        const double global = sum([&](const access_counters& a) { return is_device_memory(a) && reads_it(a); }, lanes);
        if (!is_there) return argument_ == nullptr ? std::nullopt : std::optional(0.0);
        return argument_ == nullptr ? std::nullopt : per(elements_of(*argument_), elements_of(*argument_) + global);
      }
      case quantity::stores_per_thread:
        return stores_per_thread();
      case quantity::active_lanes: {
        const double needed = (in_.model.bytes_read + in_.model.bytes_written) / wavefront;
        if (needed == 0) return std::nullopt;
        const double idle =
            sum([](const access_counters& a) { return is_device_memory(a) || a.space == "shared"; }, idle_lanes);
        return warp * needed / (needed + idle / warp);
      }
      default:
        return std::nullopt;
    }
  }

  static std::optional<double> per(double above, double below) {
    return below == 0 ? std::nullopt : std::optional(above / below);
  }
  // A texture fetch's sectors are unknown, and no fewer than its bytes.
  static double moved_bytes(const access_counters& a) {
    return a.space == "texture" ? number(a.bytes) : sector * number(a.sectors);
  }
  static double wasted_sectors(const access_counters& a) {
    return number(a.sectors) - number(std::min(a.sectors, a.minimum_sectors));
  }
  static double idle_lanes(const access_counters& a) {
    return std::max(0.0, warp * number(a.requests) - number(a.lanes));
  }
  // Requests that divide: no more than one for every 32 operations.
  [[nodiscard]] double fewest(double requests) const {
    return in_.model.operations == 0 ? requests : std::min(requests, std::max(1.0, in_.model.operations / warp));
  }
  [[nodiscard]] bool is_atomic_of_it(const access_counters& a) const {
    if (a.space != "global" || a.access != "atomic") return false;
    return is_itself(a) || (!a.array.given && flow_.reaches(a.array, of_));
  }

  std::optional<double> atomics_per_block() {
    double blocks = 0;
    for (const launch_counters& l : in_.measured.launches)
      if (std::ranges::any_of(l.accesses, [&](const access_counters& a) { return is_atomic_of_it(a); }))
        blocks += number(l.times * l.grid[0] * l.grid[1] * l.grid[2]);
    if (blocks == 0) return 0;
    return per(sum([&](const access_counters& a) { return is_atomic_of_it(a); },
                   [](const access_counters& a) { return number(a.lanes); }),
               fewest(blocks));
  }

  // Turns that lanes wait beyond the first, over the requests that earn all points of atomics_per_operation.
  std::optional<double> same_address_lanes() {
    const auto atomic = [&](const access_counters& a) {
      return a.access == "atomic" && (is_atomic_of_it(a) || (a.space == "shared" && a.variable == of_));
    };
    double requests = sum(atomic, [](const access_counters& a) { return number(a.requests); });
    if (requests == 0) return std::nullopt;
    const double beyond = sum(atomic, [](const access_counters& a) {
      return number(a.same_address_lanes) - number(std::min(a.same_address_lanes, a.requests));
    });
    if (const double full = full_of(quantity::atomics_per_operation); full > 0)
      requests = std::min(requests, std::max(1.0, full * in_.model.operations / warp));
    return 1 + beyond / fewest(requests);
  }

  // A warp counts when it reads 32 elements of its own; lanes that idle in a request for device memory cost like passes
  // through shared memory, for they are what a kernel pays that leaves the work to one lane. Launches weigh by their passes, so
  // that none thins another's.
  std::optional<double> shared_wavefronts_per_warp() {
    double all = 0, weighed = 0;
    bool is_read = false;
    for (const launch_counters& l : in_.measured.launches) {
      double passes = 0, lanes = 0, idle = 0;
      for (const access_counters& a : l.accesses) {
        if (a.space == "shared")
          passes += number(a.access == "atomic" ? std::max(a.wavefronts, a.same_address_lanes) : a.wavefronts);
        if (!is_device_memory(a) || !reads_it(a)) continue;
        lanes += number(a.lanes);
        idle += idle_lanes(a) / warp;
      }
      if (lanes == 0) continue;
      is_read = true;
      const double threads = number(l.block[0] * l.block[1] * l.block[2]);
      const double warps = number(l.times) * number(l.grid[0] * l.grid[1] * l.grid[2]) * std::ceil(threads / warp);
      const double working = std::min({warps, std::max(1.0, lanes / warp), std::max(1.0, in_.model.operations / warp)});
      passes += std::max(0.0, idle - free_idle_requests * working);
      all += passes;
      weighed += passes * passes / working;
    }
    return is_read ? std::optional(all == 0 ? 0 : weighed / all) : std::nullopt;
  }

  // Elements of the result over the threads that make them: those of a launch count in full when it reads once an
  // operation, and else in proportion.
  std::optional<double> stores_per_thread() {
    if (argument_ == nullptr || in_.model.operations == 0) return std::nullopt;
    double threads = 0;
    for (const launch_counters& l : in_.measured.launches) {
      double all = number(l.times), lanes = 0;
      for (const coordinates& extents : {l.grid, l.block})
        for (const std::uint64_t extent : extents) all *= number(extent);
      for (const access_counters& a : l.accesses)
        if (reads(a) && a.space != "local") lanes += number(a.lanes);
      threads += all * std::min(1.0, lanes / in_.model.operations);
    }
    if (threads == 0) return std::nullopt;
    return elements_of(*argument_) / threads;
  }

  const criterion& criterion_;
  const std::vector<criterion>& all_;
  const criterion_input& in_;
  const array_flow& flow_;
  std::string_view of_;
  const argument_size* argument_ = nullptr;
  std::vector<access_counters> accesses_;
  std::set<std::string> through_;
  std::optional<source_place> where_;
};

}  // namespace

whole_reading read_whole_work(const criterion& c, const std::vector<criterion>& all, const criterion_input& in,
                              const array_flow& flow) {
  return whole_work(c, all, in, flow).read();
}

}  // namespace simtlab
