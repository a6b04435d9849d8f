#include "judge/render/lecture_measures.h"

#include <fmt/format.h>

#include <optional>

#include "judge/wording.h"

namespace simtlab {
namespace {

constexpr std::size_t access_columns = 28;

std::string percent_text(std::optional<double> fraction) {
  return fraction ? fmt::format("{:.3g} %", 100 * *fraction) : "";
}

std::string per_request_text(std::optional<double> figure) { return figure ? fmt::format("{:.3g}", *figure) : ""; }

std::string table_row(const std::string& line, const std::string& name, const emulator::request_figures& f) {
  return fmt::format("{:>4} {} {:>9} {:>7} {:>7} {:>10} {:>8}\n", line,
                     padded(shortened(name, access_columns), access_columns), grouped(f.requests),
                     per_request_text(f.sectors_per_request()), per_request_text(f.lines_per_request()),
                     percent_text(f.efficiency()), percent_text(f.line_efficiency()));
}

}  // namespace

std::string lecture_measures(const std::vector<line_row>& rows, const text_style& style, std::size_t width) {
  emulator::request_figures loads, stores;
  std::string table;
  for (const line_row& r : rows) {
    if (r.space != "global") continue;
    if (r.kind == "read") loads += r.figures();
    if (r.kind == "write") stores += r.figures();
    table += table_row(std::to_string(r.line), r.access, r.figures());
  }
  if (table.empty()) return "";
  std::string text = "\n" + style(colour::bold, "global memory as the lectures measure it\n");
  text += style(colour::dim,
                fmt::format("{:>4} {} {:>9} {:>7} {:>7} {:>10} {:>8}\n", "line", padded("access", access_columns),
                            "requests", "sectors", "lines", "efficiency", "by lines"));
  text += table;
  if (loads.requests > 0) text += table_row("", "load efficiency", loads);
  if (stores.requests > 0) text += table_row("", "store efficiency", stores);
  for (const std::string& line : wrapped(
           "sectors of 32 bytes and lines of 128 bytes are per request; efficiency: bytes that the lanes ask for, over "
           "32 for each sector (nvprof's gld_efficiency and gst_efficiency; above 100 % where lanes share bytes); by "
           "lines: over 128 for each line",
           width))
    text += style(colour::dim, line) + "\n";
  return text;
}

}  // namespace simtlab
