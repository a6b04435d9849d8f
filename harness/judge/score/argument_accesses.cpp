#include "judge/score/argument_accesses.h"

#include <algorithm>
#include <cstdint>

#include "judge/score/access_costs.h"

namespace simtlab {
namespace {

std::size_t smallest_element_of_inputs(const std::vector<argument_size>& arguments) {
  std::size_t smallest = 0;
  for (const argument_size& a : arguments)
    if (!is_written(a.role) && a.element_bytes > 0 && (smallest == 0 || a.element_bytes < smallest))
      smallest = a.element_bytes;
  return smallest;
}

}  // namespace

argument_accesses::argument_accesses(const criterion& c, const criterion_input& in, const array_flow& flow)
    : criterion_(c), in_(in), flow_(flow), of_(c.metric.of), argument_(argument_called(in.arguments, of_)) {
  if (argument_ != nullptr) element_bytes_ = argument_->element_bytes;
  if (are_of_all_inputs()) element_bytes_ = smallest_element_of_inputs(in.arguments);
  std::set<std::uint64_t> constant;
  for (const launch_counters& l : in.measured.launches)
    for (const access_counters& a : l.accesses) {
      all_.push_back(a);
      if (a.space == "constant") constant.insert(a.array.id);
    }
  for (const device_copies& copy : in.measured.copies)
    for (const access_counters& a : {reads_of(copy), stores_of(copy)}) {
      all_.push_back(a);
      if (constant.contains(a.array.id)) all_.back().space = "constant";
    }
  for (const access_counters& a : all_)
    if (is_device_memory(a) && stands_for_it(a))
      through_.insert(a.variable.empty() ? "memory without a name" : a.variable);
}

bool argument_accesses::are_of_all_inputs() const {
  return of_.empty() && criterion_.metric.what == quantity::lane_loads_per_operation;
}

double argument_accesses::elements(const access_counters& a) const { return elements_in(a, element_bytes_); }

bool argument_accesses::is_itself(const access_counters& a) const { return a.array.given && a.variable == of_; }

bool argument_accesses::is_of_an_input(const access_counters& a) const {
  return a.array.given && is_input(in_.arguments, a.variable);
}

// An atomic on another result reads what it adds to, and carries nothing of the argument.
bool argument_accesses::reads_it(const access_counters& a) const {
  if (is_itself(a)) return reads(a);
  if (is_of_an_input(a) || !reads(a)) return false;
  if (a.array.given && a.access == "atomic" && criterion_.metric.what != quantity::lane_loads_per_operation)
    return false;
  return flow_.holds(a.array, of_);
}

bool argument_accesses::writes_it(const access_counters& a) const {
  if (is_itself(a)) return writes(a);
  return writes(a) && leads_to_it(a.array);
}

// Memory of the program's own, and results of other names that serve as such.
bool argument_accesses::leads_to_it(const array_identity& array) const {
  return array.given ? flow_.is_scratch_for(array, of_) : flow_.reaches(array, of_);
}

bool argument_accesses::is_of_it(const access_counters& a) const {
  if (of_.empty()) return true;
  return is_itself(a) || reads_it(a) || writes_it(a);
}

bool argument_accesses::is_atomic_of_it(const access_counters& a) const {
  if (a.space != "global" || a.access != "atomic") return false;
  return is_itself(a) || leads_to_it(a.array);
}

// Not the argument itself, but memory that counts for it.
bool argument_accesses::stands_for_it(const access_counters& a) const {
  if (are_of_all_inputs()) return reads_an_input(a) && !is_of_an_input(a);
  return !of_.empty() && !is_itself(a) && is_of_it(a);
}

bool argument_accesses::reads_an_input(const access_counters& a) const {
  if (!holds_data(a) || !reads(a)) return false;
  if (is_of_an_input(a)) return true;
  return std::ranges::any_of(in_.arguments, [&](const argument_size& input) {
    return !is_written(input.role) && flow_.holds(a.array, input.name);
  });
}

bool argument_accesses::is_fetched_argument(const access_counters& a) const {
  if (a.space != "texture" || a.array.given) return false;
  const auto fills = [&](const device_copies& c) { return c.to == a.array && c.from.given; };
  const auto stores = [&](const access_counters& other) { return writes(other) && other.array == a.array; };
  return std::ranges::any_of(in_.measured.copies, fills) &&
         std::ranges::none_of(in_.measured.launches,
                              [&](const launch_counters& l) { return std::ranges::any_of(l.accesses, stores); });
}

}  // namespace simtlab
