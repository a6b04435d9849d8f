#include "report/annotated_source.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <system_error>
#include <vector>

#include "core/memory_names.h"
#include "core/request_figures.h"

namespace simtlab::emulator {
namespace {

namespace fs = std::filesystem;

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

std::string access_text(const row& r) {
  return std::string(space_name(r.space)) + " " + access_name(r.kind) + " " + r.variable;
}

/// Line `n` with the columns of its accesses, and its findings below. A source that is not known is a line without text.
std::string annotated_line(int n, const std::optional<std::string>& line, const source_lines& notes) {
  char number[16];
  std::snprintf(number, sizeof number, "%4d| ", n);
  std::string text;
  const auto rows = notes.rows.find(n);
  if (rows == notes.rows.end()) text = blank + (number + line.value_or("")) + "\n";
  for (std::size_t i = 0; rows != notes.rows.end() && i < rows->second.size(); ++i) {
    const row& r = rows->second[i];
    text += columns_of(r) + (i != 0 ? "    |   also " + access_text(r) : number + line.value_or(access_text(r))) + "\n";
  }
  if (const auto found = notes.findings.find(n); found != notes.findings.end())
    for (const finding* f : found->second)
      text += std::string(blank) + "    | " + severity_name(f->level) + ": " + rule_name(f->what) +
              (f->variable.empty() ? "" : " of " + f->variable) + "\n";
  return text;
}

std::string annotated(const std::string& name, std::istream& in, const source_lines& notes) {
  std::string text = name + "\n" + header;
  std::string line;
  for (int n = 1; std::getline(in, line); ++n) text += annotated_line(n, line, notes);
  return text;
}

/// The lines that have an access or a finding, without their text.
std::string annotated_without_source(const source_lines& notes) {
  std::set<int> numbers;
  for (const auto& [n, rows] : notes.rows) numbers.insert(n);
  for (const auto& [n, findings] : notes.findings) numbers.insert(n);
  std::string text = header;
  for (const int n : numbers) text += annotated_line(n, std::nullopt, notes);
  return text;
}

/// Where a file may be, the likeliest first. A relative path of the debug information begins in a folder that only the build
/// knew, as often as not one above that in which a test runs.
std::vector<fs::path> places_of(const std::string& name, const std::set<std::string>& compiled, const fs::path& start) {
  std::vector<fs::path> places;
  for (const std::string& compiled_as : compiled) {
    const fs::path path(compiled_as);
    if (path.is_absolute()) places.push_back(path);
    for (fs::path above = start; path.is_relative(); above = above.parent_path()) {
      places.push_back((above / path).lexically_normal());
      if (above == above.parent_path()) break;
    }
  }
  const fs::path here = (start / name).lexically_normal();
  if (std::find(places.begin(), places.end(), here) == places.end()) places.push_back(here);
  return places;
}

std::string annotated_file(const std::string& name, const source_lines& notes, const std::set<std::string>& compiled,
                           const fs::path& start) {
  if (compiled.size() > 1) {
    std::string text = name + " is the name of several files, whose lines are counted together:";
    for (const std::string& path : compiled) text += " " + path;
    return text + "\n" + annotated_without_source(notes);
  }
  std::string tried;
  for (const fs::path& place : places_of(name, compiled, start)) {
    std::error_code failed;
    if (std::ifstream in(place); in && fs::is_regular_file(place, failed)) return annotated(name, in, notes);
    tried += (tried.empty() ? "" : ", ") + place.string();
  }
  return name + " not found from here: looked in " + tried + "\n" + annotated_without_source(notes);
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

std::string annotated_source(const report& r, const std::filesystem::path& start) {
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
  for (const auto& [name, notes] : files) {
    if (name.empty()) {
      if (!notes.rows.empty())
        text += "\nno source is known of some accesses: the program has no debug information there\n";
      continue;
    }
    const auto compiled = r.source_files.find(name);
    text += "\n" + annotated_file(name, notes,
                                  compiled == r.source_files.end() ? std::set<std::string>() : compiled->second, start);
  }
  return text + "\nsectors (global), wavefronts (shared, constant) and active lanes are per request\n";
}

}  // namespace simtlab::emulator
