#include "claims/measurement.h"

namespace simtlab::emulator::claims {

request_counters measurement::of(memory_space space, access kind, std::string_view variable) const {
  request_counters sum;
  for (const launch_report& launch : report_.launches)
    for (const access_counters& place : launch.accesses)
      if (place.space == space && place.kind == kind && (variable.empty() || place.variable == variable))
        sum += place.counters;
  return sum;
}

request_counters measurement::reads_of(std::string_view array) const {
  return of(memory_space::global, access::read, array);
}
request_counters measurement::writes_of(std::string_view array) const {
  return of(memory_space::global, access::write, array);
}
request_counters measurement::shared_reads_of(std::string_view array) const {
  return of(memory_space::shared, access::read, array);
}
request_counters measurement::shared_writes_of(std::string_view array) const {
  return of(memory_space::shared, access::write, array);
}

std::uint64_t measurement::shared_bytes_per_block() const {
  const launch_report& first = report_.launches.at(0);
  return first.static_shared_bytes + first.dynamic_shared_bytes;
}

std::vector<finding> measurement::findings(rule wanted) const {
  std::vector<finding> found;
  for (const finding& f : report_.findings)
    if (f.what == wanted) found.push_back(f);
  return found;
}

bool is_between(const finding& f, int one_line, int other_line) {
  const int first = f.first.where.line, second = f.second.where.line;
  return (first == one_line && second == other_line) || (first == other_line && second == one_line);
}

}  // namespace simtlab::emulator::claims
