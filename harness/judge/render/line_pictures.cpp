#include "judge/render/line_pictures.h"

#include <algorithm>
#include <functional>
#include <string_view>
#include <tuple>

namespace simtlab {
namespace {

constexpr std::ptrdiff_t most_drawn_lines = 4;
constexpr std::size_t most_requests = 6;
constexpr std::size_t most_rows = 8;  // a page has room for so many; the rest is a number

}  // namespace

std::vector<kept_request> shown_requests(const measurements& m, const line_row& r) {
  std::vector<kept_request> shown;
  for (const launch_counters& l : m.launches)
    for (const example_place& p : l.examples) {
      if (p.file != r.file || p.line != r.line || p.space != r.space || p.access != r.kind || p.variable != r.variable)
        continue;
      for (const char* reason : {"most frequent", "worst"})
        if (const auto e = std::ranges::find(p.examples, reason, [](const auto& x) { return x.reasons.front(); });
            e != p.examples.end())
          shown.push_back({&p, &*e});
      return shown;
    }
  return shown;
}

std::vector<drawn_request> drawn_requests(const measurements& m, const source_line_counters& line) {
  std::vector<const line_row*> rows;
  for (const line_row& r : line.rows)
    if (r.excess() > 0 || line.figures.excess() == 0) rows.push_back(&r);
  std::ranges::stable_sort(rows, std::greater<>(), [](const line_row* r) { return r->excess(); });
  std::vector<drawn_request> drawn;
  for (const line_row* r : rows)
    for (const auto& [place, example] : shown_requests(m, *r))
      if (drawn.size() < most_requests)
        drawn.push_back({r->access, words_of_request(*place, *example), picture_of(*place, *example)});
  return drawn;
}

bool is_drawn(const source_line_counters& line, const std::vector<source_line_counters>& lines) {
  const auto place = [](const source_line_counters& l) {
    const emulator::request_figures& f = l.figures;
    return std::tuple(-static_cast<double>(f.excess()), -static_cast<double>(f.fewest()), std::string_view(l.file),
                      l.line);
  };
  const auto is_before = [&](const source_line_counters& other) { return place(other) < place(line); };
  return line.figures.excess() + line.figures.fewest() > 0 &&
         std::ranges::count_if(lines, is_before) < most_drawn_lines;
}

json to_json(const drawn_request& d) {
  json rows = json::array();
  const std::size_t shown = std::min(d.picture.rows.size(), most_rows);
  for (std::size_t i = 0; i < shown; ++i)
    rows.push_back(json_object({{"label", d.picture.rows[i].label}, {"cells", cells_text(d.picture.rows[i])}}));
  return json_object({{"access", d.access},
                      {"words", d.words},
                      {"unit", d.picture.is_banks ? "bank" : "sector"},
                      {"cells_between_bars", d.picture.cells_between_bars},
                      {"agrees", d.picture.agrees},
                      {"rows", std::move(rows)},
                      {"more_rows", d.picture.rows.size() - shown}});
}

}  // namespace simtlab
