#include "judge/score/bypass.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>

#include "judge/score/access_costs.h"
#include "judge/score/number.h"

namespace simtlab {
namespace {

bool is_atomic(const access_counters& a) { return a.access == "atomic" && is_device_memory(a); }
bool is_plain_read(const access_counters& a) { return a.access == "read" && holds_data(a); }

// More values come together than the result has elements; else what is done only moves.
bool combines(const launch_counters& l, double elements) {
  double read = 0, added = 0;
  for (const access_counters& a : l.accesses) {
    if (is_plain_read(a)) read += number(a.lanes);
    if (is_atomic(a)) added += number(a.lanes);
  }
  return std::max(read, added) > elements;
}

// The result's array, and those from which it is only moved there.
std::set<std::uint64_t> forms_of(const measurements& m, const argument_size& result) {
  std::set<std::uint64_t> forms;
  for (const launch_counters& l : m.launches)
    for (const access_counters& a : l.accesses)
      if (a.array.given && a.variable == result.name) forms.insert(a.array.id);
  for (const device_copies& c : m.copies)
    if (c.to.given && c.to_name == result.name) forms.insert(c.to.id);
  const double elements = elements_of(result);
  for (std::size_t before = 0; before != forms.size();) {
    before = forms.size();
    for (const launch_counters& l : m.launches) {
      const bool ends_there = std::ranges::any_of(
          l.accesses, [&](const access_counters& a) { return writes(a) && forms.contains(a.array.id); });
      if (!ends_there || combines(l, elements)) continue;
      for (const access_counters& a : l.accesses)
        if (is_plain_read(a) && a.array.id != 0 && !a.array.given) forms.insert(a.array.id);
    }
    for (const device_copies& c : m.copies)
      if (forms.contains(c.to.id) && !c.from.given && number(c.bytes) <= result.bytes) forms.insert(c.from.id);
  }
  return forms;
}

// Bytes that are added to an array beyond those that are read of it: above 0, several values have met in one place.
std::map<std::uint64_t, double> crowds_of(const measurements& m) {
  std::map<std::uint64_t, double> crowds;
  for (const launch_counters& l : m.launches)
    for (const access_counters& a : l.accesses) {
      if (is_atomic(a)) crowds[a.array.id] += number(a.bytes);
      if (is_plain_read(a)) crowds[a.array.id] -= number(a.bytes);
    }
  return crowds;
}

}  // namespace

double reduced_without_atomics(const measurements& m, const std::vector<argument_size>& arguments,
                               std::string_view result, const array_flow& flow) {
  const argument_size* const known = argument_called(arguments, result);
  if (known == nullptr) return 0;
  const std::set<std::uint64_t> forms = forms_of(m, *known);
  const std::map<std::uint64_t, double> crowds = crowds_of(m);
  const auto meets = [&](const launch_counters& l) {
    return std::ranges::any_of(l.accesses, [&](const access_counters& a) {
      if (!is_atomic(a)) return false;
      if (forms.contains(a.array.id)) return combines(l, elements_of(*known));
      return !a.array.given && crowds.at(a.array.id) > 0 && flow.reaches(a.array, result);
    });
  };
  measurements without;
  without.copies = m.copies;
  std::ranges::copy_if(m.launches, std::back_inserter(without.launches),
                       [&](const launch_counters& l) { return !meets(l); });
  const array_flow plain(without);

  const auto is_an_input = [&](std::string_view name) { return is_input(arguments, name); };
  double reduced = 0;
  for (const launch_counters& l : without.launches) {
    double read = 0, stored = 0;
    for (const access_counters& a : l.accesses) {
      if (!plain.reaches(a.array, result)) continue;
      if (is_plain_read(a) && std::ranges::any_of(plain.origins(a.array), is_an_input)) read += number(a.bytes);
      if (a.access == "write") stored += number(a.bytes);
    }
    if (read > stored) reduced += read;
  }
  std::set<std::string> inputs;  // that the result is made from
  for (const launch_counters& l : m.launches)
    for (const access_counters& a : l.accesses)
      if (flow.reaches(a.array, result)) inputs.insert(flow.origins(a.array).begin(), flow.origins(a.array).end());
  double needed = 0;
  for (const argument_size& a : arguments)
    if (!is_written(a.role) && inputs.contains(a.name)) needed += a.bytes;
  return needed == 0 ? 0 : std::min(1.0, reduced / needed);
}

double sectors_wasted_without_shared(const measurements& m) {
  double wasted = 0;
  for (const launch_counters& l : m.launches) {
    if (std::ranges::any_of(l.accesses, [](const access_counters& a) { return a.space == "shared"; })) continue;
    for (const access_counters& a : l.accesses)
      if (a.space == "global") wasted += wasted_sectors(a);
  }
  for (const device_copies& c : m.copies) wasted += wasted_sectors(reads_of(c)) + wasted_sectors(stores_of(c));
  return wasted;
}

}  // namespace simtlab
