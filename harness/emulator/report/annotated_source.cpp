#include "report/annotated_source.h"

#include <cstdio>
#include <fstream>
#include <map>
#include <optional>
#include <vector>

#include "core/memory_names.h"
#include "core/request_figures.h"

namespace simtlab::emulator {
namespace {

constexpr const char* header = "requests  sect  wave  lane  line\n";
constexpr const char* blank = "                            ";

/// Accesses of one line, space, kind and variable, summed over the launches.
struct row {
  memory_space space{};
  access kind{};
  std::string variable;
  request_counters counters;
};

struct source_lines {
  std::map<int, std::vector<row>> rows;
  std::map<int, std::vector<const finding*>> findings;
};

void add(std::vector<row>& rows, const access_counters& a) {
  for (row& r : rows) {
    if (r.space != a.space || r.kind != a.kind || r.variable != a.variable) continue;
    r.counters += a.counters;
    return;
  }
  rows.push_back({a.space, a.kind, a.variable, a.counters});
}

std::string figure_text(std::optional<double> figure) {
  char text[16] = "";
  if (figure) std::snprintf(text, sizeof text, "%.3g", *figure);
  return text;
}

std::string columns_of(const row& r) {
  const request_figures f = figures_of(r.space, r.counters);
  char text[64];
  std::snprintf(text, sizeof text, "%8llu %5s %5s %5s  ", static_cast<unsigned long long>(f.requests),
                figure_text(f.sectors_per_request()).c_str(), figure_text(f.wavefronts_per_request()).c_str(),
                figure_text(f.lanes_per_request()).c_str());
  return text;
}

std::string annotated(const std::string& name, std::istream& in, const source_lines& notes) {
  std::string text = name + "\n" + header;
  std::string line;
  for (int n = 1; std::getline(in, line); ++n) {
    char number[16];
    std::snprintf(number, sizeof number, "%4d| ", n);
    const auto rows = notes.rows.find(n);
    if (rows == notes.rows.end()) {
      text += blank + (number + line) + "\n";
    } else {
      for (std::size_t i = 0; i < rows->second.size(); ++i) {
        const row& r = rows->second[i];
        text += columns_of(r) +
                (i == 0 ? number + line
                        : "    |   also " + std::string(space_name(r.space)) + " " + access_name(r.kind) + " " +
                              r.variable) +
                "\n";
      }
    }
    if (const auto found = notes.findings.find(n); found != notes.findings.end())
      for (const finding* f : found->second)
        text += std::string(blank) + "    | " + severity_name(f->level) + ": " + rule_name(f->what) +
                (f->variable.empty() ? "" : " of " + f->variable) + "\n";
  }
  return text;
}

}  // namespace

std::string launches_text(const report& r) {
  std::string text;
  for (const launch_report& l : r.launches) {
    char shape[96];
    std::snprintf(shape, sizeof shape, "<<<(%u,%u,%u), (%u,%u,%u)>>>: ", l.grid.x, l.grid.y, l.grid.z, l.block.x,
                  l.block.y, l.block.z);
    text += l.kernel + shape + std::to_string(l.static_shared_bytes + l.dynamic_shared_bytes) +
            " bytes of shared memory a block; " + std::to_string(l.fits.blocks) +
            (l.fits.blocks == 1 ? " block fits" : " blocks fit") + " on a multiprocessor of " + r.gpu + ", " +
            std::to_string(l.fits.warps) + " of " + std::to_string(l.fits.most_warps) + " warps, limited by " +
            limit_name(l.fits.limited_by) + "\n";
  }
  return text;
}

std::string annotated_source(const report& r) {
  std::map<std::string, source_lines> files;
  for (const launch_report& l : r.launches)
    for (const access_counters& a : l.accesses)
      if (is_shown_by_line(a.space)) add(files[a.where.file].rows[a.where.line], a);
  for (const finding& f : r.findings) {
    files[f.first.where.file].findings[f.first.where.line].push_back(&f);
    if (f.second.where.line != 0 && f.second.where != f.first.where)
      files[f.second.where.file].findings[f.second.where.line].push_back(&f);
  }
  std::string text = launches_text(r);
  for (const auto& [name, notes] : files)
    if (std::ifstream in(name); in) text += "\n" + annotated(name, in, notes);
  return text + "\nsectors (global), wavefronts (shared, constant) and active lanes are per request\n";
}

}  // namespace simtlab::emulator
