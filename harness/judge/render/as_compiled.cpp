#include "judge/render/as_compiled.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "judge/score/line_counters.h"
#include "judge/wording.h"

namespace simtlab {
namespace {

/// One access of the source, as either side counted it; null: it makes none.
struct pair_of_rows {
  const line_row *written = nullptr, *compiled = nullptr;
  [[nodiscard]] const line_row& any() const { return written == nullptr ? *compiled : *written; }
};

using place = std::tuple<std::string, int, std::string, std::string, std::string>;

std::map<place, pair_of_rows> paired(const std::vector<line_row>& written, const std::vector<line_row>& compiled) {
  std::map<place, pair_of_rows> rows;
  const auto at = [&](const line_row& r) -> pair_of_rows& {
    return rows[place{r.file, r.line, r.space, r.kind, r.variable}];
  };
  for (const line_row& r : written) at(r).written = &r;
  for (const line_row& r : compiled) at(r).compiled = &r;
  return rows;
}

std::string passes_text(const line_row& r) {
  return r.space == "global" ? fmt::format("{} sectors", grouped(r.sectors))
                             : fmt::format("{} wavefronts", grouped(r.wavefronts));
}

std::string cell(const line_row* r) {
  return r == nullptr ? "none" : fmt::format("{} requests, {}", grouped(r->requests), passes_text(*r));
}

/// Why the sides differ, as far as the figures say it; empty where they do not differ.
std::string difference_of(const pair_of_rows& p) {
  if (p.compiled == nullptr)
    return "nvcc's code makes no such access: its value stays in a register, or nobody needs it.";
  if (p.written == nullptr)
    return p.compiled->space == "local"
               ? "This access is nvcc's own: registers did not suffice, or an array is indexed by what only a thread "
                 "knows."
               : "This access is nvcc's own: it loads here what the source names on another line, or earlier than "
                 "there.";
  const line_row &w = *p.written, &c = *p.compiled;
  if (w.requests == c.requests && w.sectors == c.sectors && w.wavefronts == c.wavefronts && w.lanes == c.lanes)
    return "";
  constexpr std::array<std::string_view, 5> numbers{"", "", "two", "three", "four"};
  if (w.width != 0 && c.width > w.width && c.width % w.width == 0 && c.width / w.width < numbers.size())
    return fmt::format("nvcc {} {} of these at once: {} bytes a lane instead of {}.",
                       c.kind == "write" ? "writes" : "reads", numbers.at(c.width / w.width), c.width, w.width);
  if (w.kind == "atomic" && c.lanes < w.lanes)
    return fmt::format("nvcc lets a warp add up before it asks memory: {} lanes take part instead of {}.",
                       grouped(c.lanes), grouped(w.lanes));
  if (c.requests < w.requests)
    return fmt::format(
        "nvcc makes {} of these requests and keeps what it has read in registers, or asks for several "
        "values at once.",
        grouped(c.requests));
  if (c.requests > w.requests)
    return "nvcc makes more requests of it: it copies code for several ways through the kernel, or splits an access.";
  return "Both make as many requests; other lanes take part in them, or they lie otherwise.";
}

std::string resources_text(const launch_counters& l) {
  std::string text = fmt::format("{}: {} registers a thread", l.kernel, l.registers);
  if (l.stack_bytes > 0) text += fmt::format(", {} bytes of stack", grouped(l.stack_bytes));
  return text + (l.spill_bytes > 0 ? fmt::format(", {} bytes of spills", grouped(l.spill_bytes)) : ", no spills");
}

}  // namespace

std::string as_compiled_text(const case_outcome& written, const case_outcome& compiled, const source_text& source,
                             const text_style& style, std::size_t width) {
  std::string text = "\n" + style(colour::bold, "as written, and as nvcc compiled it\n");
  for (const launch_counters& l : compiled.measured.launches) {
    // A launch without registers has run as g++ compiled it; the findings say why.
    const std::string said =
        l.registers == 0 ? l.kernel + ": ran as g++ compiled it, see the findings" : resources_text(l);
    for (const std::string& line : wrapped(said, width)) text += line + "\n";
  }
  if (!is_right(compiled.judged))
    for (const std::string& line :
         wrapped(fmt::format("as compiled: {}: {}", words_for(compiled.judged), compiled.message), width))
      text += style(colour::red, line) + "\n";
  const std::vector<line_row> of_written = line_counters(written.measured),
                              of_compiled = line_counters(compiled.measured);
  std::size_t equal = 0;
  for (const auto& [where, rows] : paired(of_written, of_compiled)) {
    const std::string why = difference_of(rows);
    if (why.empty()) {
      ++equal;
      continue;
    }
    const line_row& r = rows.any();
    text += fmt::format("  {}:{} {}\n", r.file, r.line, r.access);
    if (const std::string line = source.is(r.file) ? source.line(r.line) : ""; !line.empty())
      text += style(colour::dim, "      " + shortened(line.substr(line.find_first_not_of(' ')), width - 6)) + "\n";
    text += fmt::format("      as written   {}\n      as compiled  {}\n", cell(rows.written), cell(rows.compiled));
    for (const std::string& line : wrapped(why, width - 6)) text += "      " + line + "\n";
  }
  const std::string rest =
      fmt::format("{} of {} accesses cost the same on both sides", equal, paired(of_written, of_compiled).size());
  text += style(colour::dim, rest) + "\n";
  for (const finding& f : compiled.measured.findings) {
    const bool is_known = std::ranges::any_of(
        written.measured.findings, [&](const finding& g) { return g.rule == f.rule && g.first.line == f.first.line; });
    if (is_known) continue;
    for (const std::string& line : wrapped(fmt::format("as compiled: {}: {}", f.rule, f.message), width))
      text += style(f.level == severity::error ? colour::red : colour::yellow, line) + "\n";
  }
  return text;
}

}  // namespace simtlab
