#include "judge/score/array_flow.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "judge/score/access_costs.h"

namespace simtlab {
namespace {

using arrays = std::set<std::uint64_t>;

// Bytes go from each of the first to each of the second.
using step = std::pair<arrays, arrays>;

using argument_names = std::map<std::uint64_t, std::set<std::string>>;

bool carries(const access_counters& a) { return a.array.id != 0 && holds_data(a); }

// The arguments by themselves.
argument_names arguments_of(const measurements& m) {
  argument_names of;
  const auto add = [&of](const array_identity& array, const std::string& name) {
    if (array.given) of[array.id].insert(name);
  };
  for (const launch_counters& l : m.launches)
    for (const access_counters& a : l.accesses)
      if (carries(a)) add(a.array, a.variable);
  for (const device_copies& c : m.copies) {
    add(c.from, c.from_name);
    add(c.to, c.to_name);
  }
  return of;
}

std::set<step> steps_of(const measurements& m) {
  std::set<step> steps;
  for (const launch_counters& l : m.launches) {
    step s;
    for (const access_counters& a : l.accesses) {
      if (!carries(a)) continue;
      if (reads(a)) s.first.insert(a.array.id);
      if (writes(a)) s.second.insert(a.array.id);
    }
    steps.insert(std::move(s));
  }
  for (const device_copies& c : m.copies) steps.insert({{c.from.id}, {c.to.id}});
  return steps;
}

// Of the results that a launch reads, those whose bytes it may carry to other arrays.
class carried_results {
 public:
  explicit carried_results(const measurements& m) {
    for (const launch_counters& l : m.launches)
      for (const access_counters& a : l.accesses)
        if (carries(a) && a.array.given && writes(a)) {
          results_.insert(a.array.id);
          if (a.access == "atomic") adding_[a.array.id].insert(&l);
        }
    for (const device_copies& c : m.copies)
      if (c.to.given) results_.insert(c.to.id);
  }

  [[nodiscard]] bool is_result(std::uint64_t array) const { return results_.contains(array); }

  // Where several launches add to a result, each has read for it what the others read, half as much at least: else it has the others'
  // sum. A launch that stores no less there than it reads works in place, if what it stores elsewhere may come from elsewhere.
  [[nodiscard]] bool carries_on(const launch_counters& l, std::uint64_t result) const {
    double read = 0, stored = 0, others_read = 0, others_stored = 0;
    for (const access_counters& a : l.accesses) {
      if (!carries(a)) continue;
      const double bytes = static_cast<double>(a.bytes);
      if (reads(a)) (a.array.id == result ? read : others_read) += bytes;
      if (writes(a)) (a.array.id == result ? stored : others_stored) += bytes;
    }
    if (read > stored || others_read < others_stored) return true;
    const auto adding = adding_.find(result);
    if (adding == adding_.end()) return false;
    double most = 0;
    arrays inputs;
    for (const launch_counters* other : adding->second) {
      if (other == &l) continue;
      const arrays mine = inputs_of(*other);
      inputs.insert(mine.begin(), mine.end());
      most = std::max(most, read_of(mine, *other));
    }
    return read_of(inputs, l) < most / 2;
  }

 private:
  [[nodiscard]] arrays inputs_of(const launch_counters& l) const {
    arrays inputs;
    for (const access_counters& a : l.accesses)
      if (a.access == "read" && carries(a) && !is_result(a.array.id)) inputs.insert(a.array.id);
    return inputs;
  }
  static double read_of(const arrays& of, const launch_counters& l) {
    double read = 0;
    for (const access_counters& a : l.accesses)
      if (a.access == "read" && of.contains(a.array.id)) read += static_cast<double>(a.bytes);
    return read;
  }

  arrays results_;
  std::map<std::uint64_t, std::set<const launch_counters*>> adding_;  // to a result
};

// As above, but results are read by those alone that carry them on.
std::set<step> steps_of_results(const measurements& m) {
  const carried_results carried(m);
  std::set<step> steps;
  for (const launch_counters& l : m.launches) {
    step s;
    for (const access_counters& a : l.accesses) {
      if (!carries(a)) continue;
      if (reads(a) && (!carried.is_result(a.array.id) || carried.carries_on(l, a.array.id))) s.first.insert(a.array.id);
      if (writes(a)) s.second.insert(a.array.id);
    }
    steps.insert(std::move(s));
  }
  for (const device_copies& c : m.copies) steps.insert({{c.from.id}, {c.to.id}});
  return steps;
}

// Names spread along the steps until nothing is new.
void spread(argument_names& known_names, const std::set<step>& steps, arrays step::*from, arrays step::*to) {
  for (bool grew = true; grew;) {
    grew = false;
    for (const step& s : steps) {
      std::set<std::string> carried;
      for (const std::uint64_t array : s.*from)
        if (const auto known = known_names.find(array); known != known_names.end())
          carried.insert(known->second.begin(), known->second.end());
      if (carried.empty()) continue;
      for (const std::uint64_t array : s.*to) {
        std::set<std::string>& mine = known_names[array];
        const std::size_t before = mine.size();
        mine.insert(carried.begin(), carried.end());
        grew = grew || mine.size() > before;
      }
    }
  }
}

constexpr double hardly_more = 1.05;  // sectors than the bytes fill: both ends of a copy may lie within one

bool fills_its_sectors(std::uint64_t sectors, double fewest) {
  return static_cast<double>(sectors) <= hardly_more * fewest;
}

// The argument from which a launch copies plainly to memory of the program's own, or to which from there; empty: it does not.
std::string copied_plainly(const launch_counters& l, const argument_bytes& sizes) {
  std::set<std::string> from, to;  // arguments; empty names are memory of the program's own
  for (const access_counters& a : l.accesses) {
    if (a.space == "local" || is_parameter(a.variable)) continue;
    if (a.space != "global" || !fills_its_sectors(a.sectors, static_cast<double>(a.ideal_sectors))) return "";
    (reads(a) ? from : to).insert(a.array.given ? a.variable : "");
  }
  if (!only_moves(l) || from.size() != 1 || to.size() != 1 || from.begin()->empty() == to.begin()->empty()) return "";
  const std::string& name = from.begin()->empty() ? *to.begin() : *from.begin();
  return sizes.contains(name) ? name : "";
}

std::string copied_plainly(const device_copies& c, const argument_bytes& sizes) {
  const double fewest = std::ceil(static_cast<double>(c.bytes) / sector);
  if (c.from.given == c.to.given || !fills_its_sectors(c.sectors_read, fewest) ||
      !fills_its_sectors(c.sectors_written, fewest))
    return "";
  const std::string& name = c.from.given ? c.from_name : c.to_name;
  return sizes.contains(name) ? name : "";
}

}  // namespace

bool is_device_memory(const access_counters& a) {
  constexpr std::array<std::string_view, 4> spaces{"global", "texture", "host", "unmapped"};
  return std::ranges::find(spaces, a.space) != spaces.end();
}

bool holds_data(const access_counters& a) { return is_device_memory(a) || a.space == "constant"; }
bool is_parameter(std::string_view variable) { return variable.starts_with("parameter "); }
bool reads(const access_counters& a) { return a.access != "write"; }
bool writes(const access_counters& a) { return a.access != "read"; }

bool only_moves(const launch_counters& l) {
  const auto is_atomic = [](const access_counters& a) { return holds_data(a) && a.access == "atomic"; };
  return std::ranges::none_of(l.accesses, is_atomic) && only_carries(l);
}

bool only_carries(const launch_counters& l) {
  std::uint64_t read = 0, stored = 0;
  for (const access_counters& a : l.accesses) {
    if (!holds_data(a)) continue;
    if (a.access == "atomic" && (a.array.given || a.same_address_lanes > a.requests)) return false;
    (writes(a) ? stored : read) += a.bytes;
  }
  return stored > 0 && read <= stored;
}

bool only_brings_back(const launch_counters& l, const argument_bytes& sizes) {
  argument_bytes stored;
  for (const access_counters& a : l.accesses) {
    if (a.space == "shared") return false;
    if (!holds_data(a)) continue;
    if (a.array.given == reads(a)) return false;
    if (a.array.given) stored[a.variable] += static_cast<double>(a.bytes);
  }
  const auto fits = [&sizes](const auto& one) {
    const auto known = sizes.find(one.first);
    return known == sizes.end() || one.second <= known->second;
  };
  return !stored.empty() && std::ranges::all_of(stored, fits) && only_moves(l);
}

double moved_by_plain_copies(const measurements& m, const argument_bytes& sizes) {
  argument_bytes moved;
  for (const launch_counters& l : m.launches) {
    const std::string name = copied_plainly(l, sizes);
    if (name.empty()) continue;
    for (const access_counters& a : l.accesses) moved[name] += sector * static_cast<double>(a.sectors);
  }
  for (const device_copies& c : m.copies)
    if (const std::string name = copied_plainly(c, sizes); !name.empty())
      moved[name] += sector * static_cast<double>(c.sectors_read + c.sectors_written);
  double total = 0;
  for (const auto& [name, bytes] : moved) {
    const double of_one_side = sector * std::ceil(sizes.find(name)->second / sector);
    total += std::min(bytes, 2 * of_one_side);
  }
  return total;
}

array_flow::array_flow(const measurements& m) : origins_(arguments_of(m)), ends_(origins_), borrowed_(origins_) {
  const std::set<step> steps = steps_of(m);
  spread(origins_, steps, &step::first, &step::second);
  spread(ends_, steps, &step::second, &step::first);
  spread(borrowed_, steps_of_results(m), &step::second, &step::first);
}

const std::set<std::string>& array_flow::origins(const array_identity& array) const {
  static const std::set<std::string> none;
  const auto known = origins_.find(array.id);
  return known == origins_.end() ? none : known->second;
}

bool array_flow::holds(const array_identity& array, std::string_view argument) const {
  return origins(array).contains(std::string(argument));
}

bool array_flow::reaches(const array_identity& array, std::string_view argument) const {
  const auto known = ends_.find(array.id);
  return known != ends_.end() && known->second.contains(std::string(argument));
}

bool array_flow::is_scratch_for(const array_identity& array, std::string_view argument) const {
  const auto known = borrowed_.find(array.id);
  return array.given && known != borrowed_.end() && known->second.contains(std::string(argument));
}

}  // namespace simtlab
