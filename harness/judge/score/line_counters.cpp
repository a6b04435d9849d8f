#include "judge/score/line_counters.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "emulator/core/memory_names.h"
#include "judge/score/array_flow.h"

namespace simtlab {
namespace {

emulator::memory_space space_of(const std::string& name) {
  return emulator::space_called(name).value_or(emulator::memory_space::unmapped);
}

std::string figure_text(std::optional<double> figure) {
  if (!figure) return "";
  return *figure == std::floor(*figure) ? fmt::format("{:.0f}", *figure) : fmt::format("{:.3g}", *figure);
}

std::string access_text(const access_counters& a, const std::set<std::string>& derived_from) {
  std::string text =
      a.variable.empty() ? fmt::format("{} {} memory", a.access, a.space) : fmt::format("{} {}", a.access, a.variable);
  if (!derived_from.empty()) text += fmt::format(" (from {})", fmt::join(derived_from, ", "));
  return text;
}

}  // namespace

emulator::request_figures line_row::figures() const { return emulator::figures_of(space_of(space), *this); }
std::string line_row::sectors_text() const { return figure_text(figures().sectors_per_request()); }
std::string line_row::wavefronts_text() const { return figure_text(figures().wavefronts_per_request()); }
std::string line_row::lanes_text() const { return figure_text(figures().lanes_per_request()); }

std::string line_row::cost_text() const {
  if (space == "global")
    return fmt::format("{} sectors per request, {:.0f} % of them needed", sectors_text(),
                       100.0 * static_cast<double>(ideal_sectors) / static_cast<double>(sectors));
  if (space == "shared")
    return fmt::format("{} wavefronts per request where {:.2g} would do", wavefronts_text(),
                       static_cast<double>(ideal_wavefronts) / static_cast<double>(requests));
  return fmt::format("{:.1f} different words per request, one after the other",
                     static_cast<double>(distinct_words) / static_cast<double>(requests));
}

std::vector<line_row> line_counters(const measurements& m) {
  std::map<std::tuple<std::string, int, std::string, std::string, std::string>, line_row> rows;
  const array_flow flow(m);
  for (const launch_counters& l : m.launches) {
    for (const access_counters& a : l.accesses) {
      if (!emulator::is_shown_by_line(space_of(a.space))) continue;
      const auto [at, fresh] = rows.try_emplace({a.file, a.line, a.space, a.access, a.variable});
      line_row& r = at->second;
      r.file = a.file;
      r.line = a.line;
      r.space = a.space;
      r.kind = a.access;
      r.variable = a.variable;
      r.derived_from = a.array.given ? std::set<std::string>() : flow.origins(a.array);
      r.access = access_text(a, r.derived_from);
      r.width = fresh || r.width == a.width ? a.width : 0;
      r += a;
    }
  }
  std::vector<line_row> sorted;
  sorted.reserve(rows.size());
  for (auto& [key, row] : rows) sorted.push_back(std::move(row));
  return sorted;
}

std::vector<source_line_counters> lines_of(std::vector<line_row> rows) {
  std::vector<source_line_counters> lines;
  std::uint64_t excess = 0;
  for (line_row& r : rows) {
    if (lines.empty() || lines.back().file != r.file || lines.back().line != r.line)
      lines.push_back({r.file, r.line, {}, 0, {}});
    lines.back().figures += r.figures();
    excess += r.excess();
    lines.back().rows.push_back(std::move(r));
  }
  if (excess > 0)
    for (source_line_counters& l : lines)
      l.share = static_cast<double>(l.figures.excess()) / static_cast<double>(excess);
  return lines;
}

}  // namespace simtlab
