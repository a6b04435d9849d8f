#include "judge/score/line_counters.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <tuple>

#include "judge/score/array_flow.h"

namespace simtlab {
namespace {

std::string per_request(std::uint64_t sum, std::uint64_t requests) {
  const double value = static_cast<double>(sum) / static_cast<double>(requests);
  return sum % requests == 0 ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
}

}  // namespace

std::uint64_t line_row::waste() const {
  if (space == "global") return sectors - minimum_sectors;
  if (space == "shared") return wavefronts - minimum_wavefronts;
  if (space == "constant") return words - requests;
  return 0;
}

std::string line_row::sectors_text() const {
  return space == "global" && requests > 0 ? per_request(sectors, requests) : "";
}
std::string line_row::wavefronts_text() const {
  if (requests == 0) return "";
  return space == "shared"     ? per_request(wavefronts, requests)
         : space == "constant" ? per_request(words, requests)
                               : "";
}
std::string line_row::lanes_text() const { return requests > 0 ? per_request(lanes, requests) : ""; }

std::vector<line_row> line_counters(const measurements& m) {
  std::map<std::tuple<std::string, int, std::string, std::string, std::string>, line_row> rows;
  const array_flow flow(m);
  for (const launch_counters& l : m.launches) {
    for (const access_counters& a : l.accesses) {
      if (a.space == "local") continue;
      line_row& r = rows[{a.file, a.line, a.space, a.access, a.variable}];
      r.file = a.file;
      r.line = a.line;
      r.space = a.space;
      r.kind = a.access;
      r.variable = a.variable;
      r.access = a.variable.empty() ? fmt::format("{} {} memory", a.access, a.space)
                                    : fmt::format("{} {}", a.access, a.variable);
      if (const auto& origins = flow.origins(a.array); !a.array.given && !origins.empty())
        r.access += fmt::format(" (from {})", fmt::join(origins, ", "));
      r.requests += a.requests;
      r.lanes += a.lanes;
      r.sectors += a.sectors;
      r.minimum_sectors += a.minimum_sectors;
      r.wavefronts += a.wavefronts;
      r.minimum_wavefronts += a.minimum_wavefronts;
      r.words += a.distinct_words;
    }
  }
  std::vector<line_row> sorted;
  sorted.reserve(rows.size());
  for (auto& [key, row] : rows) sorted.push_back(std::move(row));
  return sorted;
}

}  // namespace simtlab
