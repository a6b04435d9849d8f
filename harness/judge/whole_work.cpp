#include "judge/whole_work.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

namespace simtlab {
namespace {

constexpr double sector = 32, warp = 32, wavefront = 128;

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
    for (const launch_counters& l : in.measured.launches)
      for (const access_counters& a : l.accesses) accesses_.push_back(a);
    for (const device_copies& copy : in.measured.copies)
      for (const bool source : {true, false}) accesses_.push_back(as_access(copy, source));
  }

  whole_reading read() {
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
      if (n <= 0) continue;
      if (!of_.empty() && !is_itself(a) && is_device_memory(a))
        through_.insert(a.variable.empty() ? "memory without a name" : a.variable);
      if (n > worst && a.line > 0) {
        worst = n;
        where_ = source_place{a.file, a.line};
      }
    }
    return total;
  }

  // A program may bring an argument to memory of its own once: what it asked for in the argument itself is then free, up to
  // one pass over it.
  template <class Wanted, class Amount>
  double without_one_copy(Wanted wanted, Amount amount, double pass) {
    const double all = sum(wanted, amount);
    if (through_.empty()) return all;
    double own = 0;
    for (const access_counters& a : accesses_)
      if (is_itself(a) && wanted(a)) own += amount(a);
    return all - std::min(own, pass);
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

  double covered() {
    if (argument_ == nullptr || argument_->bytes == 0) {
      if (criterion_.metric.what != quantity::moved_bytes_per_operation || !of_.empty()) return 1;
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
        const double needed = asked_by_model() / sector;
        if (needed == 0) return std::nullopt;
        const double beyond = sum([&](const access_counters& a) { return a.space == "global" && is_of_it(a); },
                                  [](const access_counters& a) {
                                    return number(a.sectors) - number(std::min(a.sectors, a.minimum_sectors));
                                  });
        return needed / (needed + beyond);
      }
      case quantity::wavefronts_over_minimum: {
        const double needed = in_.model.shared_bytes / wavefront;
        if (needed == 0) return std::nullopt;
        return 1 + sum([](const access_counters& a) { return a.space == "shared"; },
                       [](const access_counters& a) {
                         return number(a.wavefronts) - number(std::min(a.wavefronts, a.minimum_wavefronts));
                       }) /
                       needed;
      }
      case quantity::requested_bytes_per_operation:
        return per(sum([&](const access_counters& a) { return is_device_memory(a) && is_of_it(a); },
                       [](const access_counters& a) { return number(a.bytes); }),
                   operations);
      case quantity::moved_bytes_per_operation:
        return per(without_one_copy(
                       [&](const access_counters& a) { return is_device_memory(a) && is_of_it(a); },
                       [](const access_counters& a) { return std::max(sector * number(a.sectors), number(a.bytes)); },
                       argument_ == nullptr ? 0 : argument_->bytes),
                   operations);
      case quantity::lane_loads_per_operation:
        return per(
            without_one_copy(
                [&](const access_counters& a) { return (is_device_memory(a) || a.space == "constant") && reads_it(a); },
                lanes, argument_ == nullptr ? 0 : argument_->bytes / static_cast<double>(argument_->element_bytes)),
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
        const double constant =
            sum([&](const access_counters& a) { return a.space == "constant" && flow_.holds(a.array, of_); }, lanes);
        const double global = sum([&](const access_counters& a) { return is_device_memory(a) && reads_it(a); }, lanes);
        return constant + global == 0 ? std::nullopt : per(constant, constant + global);
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
  // through shared memory, for they are what a kernel pays that leaves the work to one lane.
  std::optional<double> shared_wavefronts_per_warp() {
    double warps = 0, passes = 0, lanes = 0;
    for (const launch_counters& l : in_.measured.launches) {
      if (!std::ranges::any_of(l.accesses,
                               [&](const access_counters& a) { return is_device_memory(a) && reads_it(a); }))
        continue;
      const double threads = number(l.block[0] * l.block[1] * l.block[2]);
      warps += number(l.times) * number(l.grid[0] * l.grid[1] * l.grid[2]) * std::ceil(threads / warp);
      for (const access_counters& a : l.accesses) {
        if (a.space == "shared")
          passes += number(a.access == "atomic" ? std::max(a.wavefronts, a.same_address_lanes) : a.wavefronts);
        if (!is_device_memory(a)) continue;
        if (reads_it(a)) lanes += number(a.lanes);
        if (reads_it(a)) passes += idle_lanes(a) / warp;
      }
    }
    const double working = std::min({warps, std::max(1.0, lanes / warp), std::max(1.0, in_.model.operations / warp)});
    return warps == 0 ? std::nullopt : per(passes, working);
  }

  // Elements of the result over the threads that make them: those of a launch count by its share of the reads, of which the
  // model's kernel without any reuse makes two an operation.
  std::optional<double> stores_per_thread() {
    if (argument_ == nullptr || in_.model.operations == 0) return std::nullopt;
    double threads = 0;
    for (const launch_counters& l : in_.measured.launches) {
      double all = number(l.times), lanes = 0;
      for (const coordinates& extents : {l.grid, l.block})
        for (const std::uint64_t extent : extents) all *= number(extent);
      for (const access_counters& a : l.accesses)
        if (reads(a) && a.space != "local") lanes += number(a.lanes);
      threads += all * std::min(1.0, lanes / (2 * in_.model.operations));
    }
    if (threads == 0) return std::nullopt;
    return argument_->bytes / static_cast<double>(argument_->element_bytes) / threads;
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
