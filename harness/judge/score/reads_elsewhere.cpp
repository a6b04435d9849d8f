#include "judge/score/reads_elsewhere.h"

#include <algorithm>
#include <map>

#include "judge/score/argument_size.h"
#include "judge/score/number.h"

namespace simtlab {
namespace {

// Reads of results that hold bytes of these arguments. Free is what works in place, reading no more than it stores, and one pass.
double read_in_results(const criterion_input& in, const array_flow& flow, const std::set<std::string>& names) {
  double read = 0;
  for (const argument_size& result : in.arguments) {
    if (!is_written(result.role) || result.element_bytes == 0) continue;
    double beyond = 0;
    for (const launch_counters& l : in.measured.launches) {
      double balance = 0;
      for (const access_counters& a : l.accesses) {
        if (!a.array.given || a.variable != result.name || !holds_data(a) || a.access == "atomic") continue;
        const bool holds =
            std::ranges::any_of(names, [&](const std::string& name) { return flow.holds(a.array, name); });
        if (holds) balance += (reads(a) ? 1 : -1) * number(a.bytes) / number(result.element_bytes);
      }
      beyond += std::max(0.0, balance);
    }
    read += std::max(0.0, beyond - elements_of(result));
  }
  return read;
}

}  // namespace

double read_elsewhere(const criterion_input& in, const array_flow& flow, const std::set<std::string>& names) {
  const argument_bytes sizes = bytes_by_name(in.arguments);
  double elsewhere = 0;
  std::map<std::string, double> copied;
  for (const launch_counters& l : in.measured.launches) {
    if (only_brings_back(l, sizes)) continue;
    for (const access_counters& a : l.accesses) {
      if (!is_device_memory(a) || !reads(a)) continue;
      if (a.array.given && names.contains(a.variable))
        (only_moves(l) ? copied[a.variable] : elsewhere) += number(a.lanes);
      else if (!a.array.given &&
               std::ranges::any_of(names, [&](const std::string& name) { return flow.holds(a.array, name); }))
        elsewhere += number(a.lanes);
    }
  }
  for (const argument_size& a : in.arguments)
    if (copied.contains(a.name)) elsewhere += std::max(0.0, copied[a.name] - elements_of(a));
  return elsewhere + read_in_results(in, flow, names);
}

}  // namespace simtlab
