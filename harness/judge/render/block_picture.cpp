#include "judge/render/block_picture.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <utility>

#include "judge/render/request_picture.h"
#include "judge/wording.h"

namespace simtlab {
namespace {

constexpr std::size_t most_section_bytes = 30'000;
constexpr std::array<std::size_t, 7> column_limits{96, 64, 48, 32, 16, 8, 4};

constexpr std::size_t step_width = 20, bar_width = 17, warp_height = 26, row_base = 22, header_height = 30,
                      label_width = 68;
constexpr std::array<std::size_t, 4> bar_heights{4, 10, 13, 16};
constexpr const char* request_action = "request";

unsigned lanes_of_event(const traced_event& e) { return static_cast<unsigned>(std::popcount(e.active)); }

/// The events of one epoch that a warp has, of those that are shown.
struct events_of_epoch {
  const traced_event* begin = nullptr;
  std::size_t count = 0;
};

events_of_epoch shown_events(const traced_warp& w, std::uint64_t epoch, std::size_t most) {
  const auto [begin, end] = std::ranges::equal_range(w.events, epoch, {}, &traced_event::epoch);
  const auto all = static_cast<std::size_t>(end - begin);
  return {w.events.data() + (begin - w.events.begin()), std::min(all, most)};
}

std::size_t step_x(std::size_t column) { return label_width + column * step_width; }

/// A warp's row at y = 0: the same text for warps that do the same.
std::string warp_row(const block_trace& t, const traced_warp& w, const block_columns& columns, bool has_numbers) {
  std::array<std::string, bar_heights.size()> bars;
  std::string shades, branches, primitives, numbers;
  for (std::size_t epoch = 0; epoch < columns.epochs.size(); ++epoch) {
    const block_columns::epoch& of = columns.epochs[epoch];
    const events_of_epoch events = shown_events(w, epoch, of.count);
    for (std::size_t i = 0; i < events.count; ++i) {
      const traced_event& e = events.begin[i];
      const std::size_t x = step_x(of.first + i);
      const unsigned lanes = lanes_of_event(e);
      if (lanes < w.lanes && (i == 0 || lanes_of_event(events.begin[i - 1]) != lanes)) {
        std::size_t wide = 1;
        while (i + wide < events.count && lanes_of_event(events.begin[i + wide]) == lanes) ++wide;
        const unsigned darkness = lanes * 4 > w.lanes * 3 ? 1 : lanes * 4 > w.lanes ? 2 : 3;
        shades += fmt::format("<path class=\"h{}\" d=\"M{} 0h{}v26h-{}z\"/>", darkness, x - 1, wide * step_width,
                              wide * step_width);
        numbers += fmt::format("<text class=\"n\" x=\"{}\" y=\"25\">{}</text>", x, lanes);
      }
      const std::string& what = t.places.at(e.place).what;
      if (what == request_action) {
        const unsigned c = cost_class(e);
        bars.at(c) += fmt::format("M{} {}h{}v-{}h-{}z", x, row_base - 6, bar_width, bar_heights.at(c), bar_width);
        if (c > 0 && has_numbers)
          numbers += fmt::format("<text class=\"k{}n\" x=\"{}\" y=\"{}\">{}</text>", c, x + bar_width / 2, row_base - 8,
                                 e.cost);
      } else if (what == "branch") {
        branches += fmt::format("M{} 8h8v8h-8z", x + 4);
      } else {
        primitives += fmt::format("M{} 12a4 4 0 1 0 8 0a4 4 0 1 0-8 0z", x + 4);
      }
    }
  }
  std::string text = shades;
  for (std::size_t c = 0; c < bars.size(); ++c)
    if (!bars.at(c).empty()) text += fmt::format("<path class=\"k{}\" d=\"{}\"/>", c, bars.at(c));
  if (!branches.empty()) text += fmt::format("<path class=\"br\" d=\"{}\"/>", branches);
  if (!primitives.empty()) text += fmt::format("<path class=\"wp\" d=\"{}\"/>", primitives);
  return text + numbers;
}

/// Above each column the line of its events where they share one, once where it goes on.
std::string line_header(const block_trace& t, const block_columns& columns, const source_text& source) {
  std::string text;
  const auto number = [&](std::size_t column, const std::string& words, const char* of) {
    text += fmt::format("<text class=\"{}\" x=\"{}\" y=\"20\">{}</text>", of, step_x(column), words);
  };
  for (std::size_t epoch = 0; epoch < columns.epochs.size(); ++epoch) {
    const block_columns::epoch& of = columns.epochs[epoch];
    std::string last;
    for (std::size_t i = 0; i < of.count; ++i) {
      std::string here;
      for (const traced_warp& w : t.warps) {
        const events_of_epoch events = shown_events(w, epoch, of.count);
        if (i >= events.count) continue;
        const traced_place& p = t.places.at(events.begin[i].place);
        const std::string one = source.is(p.file) && p.line > 0 ? std::to_string(p.line) : "–";
        if (!here.empty() && here != one) {
          here = "*";
          break;
        }
        here = one;
      }
      if (here != last) number(of.first + i, here, "n");
      last = here;
    }
    if (of.has_barrier) {
      const std::size_t column = of.first + of.count;
      if (epoch < t.barriers.size() && source.is(t.barriers[epoch].file))
        number(column, std::to_string(t.barriers[epoch].line), "bn");
      text += fmt::format("<path class=\"b\" d=\"M{} {}V{}\"/>", step_x(column) + step_width / 2 - 1, header_height - 6,
                          header_height + t.warps.size() * warp_height);
    }
  }
  return text;
}

std::string block_drawing(const block_trace& t, const block_columns& columns, const source_text& source,
                          bool has_numbers) {
  const std::size_t width = step_x(columns.count) + step_width,
                    height = header_height + t.warps.size() * warp_height + 2;
  std::string svg = fmt::format(
      "<svg role=\"img\" class=\"life\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\"><title>What the warps of "
      "block {2} "
      "did; the table below says the same</title>",
      width, height, coordinates_text(t.block));
  std::map<std::string, std::size_t> drawn;
  std::string rows;
  for (std::size_t number = 0; number < t.warps.size(); ++number) {
    const std::size_t y = header_height + number * warp_height;
    rows += fmt::format("<text x=\"0\" y=\"{}\">warp {}</text>", y + 16, number);
    std::string row = warp_row(t, t.warps[number], columns, has_numbers);
    const auto [known, is_new] = drawn.try_emplace(std::move(row), number);
    if (is_new)
      rows += fmt::format("<g id=\"w{}\" transform=\"translate(0 {})\">{}</g>", number, y, known->first);
    else
      rows += fmt::format("<use href=\"#w{}\" y=\"{}\"/>", known->second, (number - known->second) * warp_height);
  }
  if (!columns.is_whole) rows += fmt::format("<text class=\"n\" x=\"{}\" y=\"20\">…</text>", step_x(columns.count) + 4);
  std::string lines;
  for (std::size_t number = 0; number < t.warps.size(); ++number)
    lines += fmt::format("M{} {}H{}", label_width - 4, header_height + number * warp_height + row_base - 6,
                         step_x(columns.count));
  return svg + fmt::format("<path class=\"f\" d=\"{}\"/>", lines) + line_header(t, columns, source) + rows + "</svg>";
}

std::string event_words(const block_trace& t, const traced_warp& w, const traced_event& e, const source_text& source) {
  const traced_place& p = t.places.at(e.place);
  std::string text = step_words(p, source);
  if (p.what == request_action && e.cost > 0) {
    const char* const unit = p.space == "global" ? "sector" : p.space == "constant" ? "word" : "wavefront";
    text += fmt::format(", {} {}{}", e.cost, unit, e.cost == 1 ? "" : "s");
    if (e.cost > e.fewest) text += fmt::format(" ({} would do)", e.fewest);
  }
  if (lanes_of_event(e) < w.lanes) text += fmt::format(", {} of {} lanes", lanes_of_event(e), w.lanes);
  return text;
}

/// The words one after the other; those that repeat, once.
std::string folded_words(const std::vector<std::string>& words) {
  constexpr std::size_t longest_pattern = 12;
  std::string text;
  for (std::size_t at = 0; at < words.size();) {
    std::size_t best = 1, times = 1;
    for (std::size_t length = 1; length <= std::min(longest_pattern, words.size() - at); ++length) {
      std::size_t n = 1;
      while (at + (n + 1) * length <= words.size() &&
             std::equal(words.begin() + static_cast<std::ptrdiff_t>(at),
                        words.begin() + static_cast<std::ptrdiff_t>(at + length),
                        words.begin() + static_cast<std::ptrdiff_t>(at + n * length)))
        ++n;
      if (n > 1 && n * length > times * best) {
        best = length;
        times = n;
      }
    }
    const std::vector<std::string> one(words.begin() + static_cast<std::ptrdiff_t>(at),
                                       words.begin() + static_cast<std::ptrdiff_t>(at + best));
    if (!text.empty()) text += "; ";
    text += times == 1  ? one.front()
            : best == 1 ? fmt::format("{} times {}", times, one.front())
                        : fmt::format("{} times [{}]", times, fmt::join(one, "; "));
    at += times * best;
  }
  return text;
}

/// "0 to 3, 6".
std::string ranges_text(const std::vector<std::size_t>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", numbers[i]);
    if (last > i) text += fmt::format("{}{}", last == i + 1 ? ", " : " to ", numbers[last]);
    i = last + 1;
  }
  return text;
}

std::string block_table(const block_trace& t, const block_columns& columns, const source_text& source) {
  std::string text =
      "<details class=\"said\"><summary>The same in words</summary><div class=\"wide\" tabindex=\"0\" role=\"region\" "
      "aria-label=\"What the warps did, in words\"><table class=\"meanings\"><thead><tr><th scope=\"col\">up "
      "to</th><th "
      "scope=\"col\">warps</th><th scope=\"col\">in their order</th></tr></thead><tbody>\n";
  for (std::size_t epoch = 0; epoch < columns.epochs.size(); ++epoch) {
    const block_columns::epoch& of = columns.epochs[epoch];
    std::vector<std::pair<std::string, std::vector<std::size_t>>> groups;
    for (std::size_t number = 0; number < t.warps.size(); ++number) {
      const traced_warp& w = t.warps[number];
      const events_of_epoch events = shown_events(w, epoch, of.count);
      std::vector<std::string> words;
      for (std::size_t i = 0; i < events.count; ++i) words.push_back(event_words(t, w, events.begin[i], source));
      std::string said = words.empty() ? "nothing that is drawn" : folded_words(words);
      const auto known = std::ranges::find(groups, said, [](const auto& g) { return g.first; });
      if (known == groups.end())
        groups.push_back({std::move(said), {number}});
      else
        known->second.push_back(number);
    }
    std::string end = epoch + 1 == columns.epochs.size() && !columns.is_whole ? "the cut" : "the end";
    if (of.has_barrier)
      end = "barrier, " + (epoch < t.barriers.size()
                               ? place_in_source(t.barriers[epoch].file, t.barriers[epoch].line, source)
                               : std::string("no line"));
    for (const auto& [said, numbers] : groups)
      text += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td></tr>\n", escaped(end), ranges_text(numbers),
                          escaped(said));
  }
  return text + "</tbody></table></div></details>\n";
}

std::string legend_swatch(const char* of, const char* path) {
  return fmt::format("<svg aria-hidden=\"true\" width=\"20\" height=\"20\"><path class=\"{}\" d=\"{}\"/></svg>", of,
                     path);
}

std::string block_legend() {
  const auto item = [](const std::string& drawn, const char* words) {
    return fmt::format("<li>{} {}</li>\n", drawn, words);
  };
  return "<ul class=\"legend\">\n" +
         item(legend_swatch("k0", "M1 16h17v-4h-17z"), "a request that costs no more than it must") +
         item(legend_swatch("k1", "M1 16h17v-10h-17z"), "up to twice as many sectors or wavefronts") +
         item(legend_swatch("k2", "M1 16h17v-13h-17z"), "up to 8 times") +
         item(legend_swatch("k3", "M1 16h17v-16h-17z"), "more") +
         item(legend_swatch("h2", "M0 0h20v20h-20z"), "fewer lanes than the warp has: how many") +
         item(legend_swatch("br", "M5 6h8v8h-8z"), "a branch that a part of the lanes takes") +
         item(legend_swatch("wp", "M5 10a4 4 0 1 0 8 0a4 4 0 1 0-8 0z"), "a warp primitive") +
         item(legend_swatch("b", "M10 0V20"), "a barrier of the block") + "</ul>\n";
}

std::string cut_words(const block_trace& t, const block_columns& columns) {
  std::uint64_t most = 0;
  for (const traced_warp& w : t.warps) most = std::max(most, w.events_in_all);
  std::size_t barriers = 0;
  for (const block_columns::epoch& e : columns.epochs) barriers += e.has_barrier;
  return fmt::format(
      " Shown are the first {} steps, with {} of the block's {} barriers; the warp that does most takes {} steps.",
      columns.count - barriers, grouped(barriers), grouped(t.barriers_in_all), grouped(most));
}

std::string block_section_of(const launch_counters& first, const block_trace& t, const source_text& source,
                             std::size_t most, bool has_numbers) {
  const block_columns columns = columns_of(t, most);
  std::string text = fmt::format(
      "<h2 id=\"block\">A block's warps</h2>\n<p>Block {} of the first launch, of <code>{}</code>: {} warp{}. A row is "
      "a "
      "warp, with what it did from left to right, in its order. A column is a step and no time: the emulator has no "
      "clock. Above stand lines of the source (* several, – of another file); behind a barrier all warps begin at one "
      "column.{}</p>\n",
      coordinates_text(t.block), escaped(first.kernel), t.warps.size(), t.warps.size() == 1 ? "" : "s",
      columns.is_whole ? "" : cut_words(t, columns));
  return text + block_legend() +
         "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"The block's warps, drawn\">" +
         block_drawing(t, columns, source, has_numbers) + "</div>\n" + block_table(t, columns, source);
}

constexpr const char* life_style = R"(
:root { --k1: #a05f00; --k2: #7c4300; --k3: #4a2200; --k-ink: #fff; --shade: #8c8c8c; }
@media (prefers-color-scheme: dark) { :root { --k1: #b47a2c; --k2: #d08f35; --k3: #ffc874; --k-ink: #161616; } }
.k0 { fill: var(--asked); } .k1 { fill: var(--k1); } .k2 { fill: var(--k2); } .k3 { fill: var(--k3); }
.k1n, .k2n, .k3n { fill: var(--k-ink); text-anchor: middle; font-size: 9px; } .br, .wp { fill: none; stroke: var(--ink); stroke-width: 1.5; }
.h1, .h2, .h3 { fill: var(--shade); } .h1 { fill-opacity: .16; } .h2 { fill-opacity: .3; } .h3 { fill-opacity: .5; }
.b { fill: none; stroke: var(--ink); stroke-width: 3; } .bn { font-weight: 700; } .life .n { font-size: 10px; fill: var(--ink); }
.rx { fill: none; stroke: var(--bad); stroke-width: 2.5; } .re { fill: none; stroke: var(--bad); stroke-width: 2; stroke-dasharray: 6 4; } .rt { fill: var(--bad); text-anchor: middle; }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; padding: 0; margin: .3rem 0 .7rem; list-style: none; } .legend svg { display: inline-block; vertical-align: middle; }
)";

}  // namespace

std::string place_in_source(const std::string& file, int line, const source_text& source) {
  if (line == 0) return "no line";
  return source.is(file) ? fmt::format("line {}", line) : fmt::format("{}:{}", file, line);
}

std::string step_words(const traced_place& p, const source_text& source) {
  const std::string where = place_in_source(p.file, p.line, source);
  if (p.what == "branch") return where + " is a branch";
  if (p.what != request_action) return where + " is a " + p.what;
  const char* const verb = p.access == "write" ? "writes" : p.access == "atomic" ? "atomically updates" : "reads";
  return fmt::format("{} {} {}", where, verb, p.variable.empty() ? p.space + " memory" : p.variable);
}

block_columns columns_of(const block_trace& t, std::size_t most) {
  block_columns made;
  for (std::uint64_t epoch = 0; epoch <= t.barriers_in_all; ++epoch) {
    std::size_t widest = 0;
    for (const traced_warp& w : t.warps) widest = std::max(widest, shown_events(w, epoch, w.events.size()).count);
    block_columns::epoch of{made.count, std::min(widest, most - made.count), false};
    made.count += of.count;
    made.is_whole = of.count == widest;
    of.has_barrier = made.is_whole && epoch < t.barriers_in_all && made.count < most;
    made.count += of.has_barrier;
    made.epochs.push_back(of);
    if (made.is_whole && epoch < t.barriers_in_all) made.is_whole = of.has_barrier;
    if (!made.is_whole) break;
  }
  for (const traced_warp& w : t.warps) made.is_whole = made.is_whole && w.events_in_all == w.events.size();
  return made;
}

unsigned cost_class(const traced_event& e) {
  if (e.cost <= e.fewest) return 0;
  const auto is_more_than = [&](std::uint64_t times) {
    return e.fewest == 0 || e.cost / e.fewest > times || (e.cost / e.fewest == times && e.cost % e.fewest != 0);
  };
  return is_more_than(8) ? 3 : is_more_than(2) ? 2 : 1;
}

std::string block_section(const launch_counters& first, const source_text& source) {
  if (!first.trace) return "";
  const block_trace& t = *first.trace;
  if (t.warps.empty()) {
    const auto& g = first.grid;
    const bool is_there = t.block[0] < g[0] && t.block[1] < g[1] && t.block[2] < g[2];
    return fmt::format(
        "<h2 id=\"block\">A block's warps</h2>\n<p>The first launch, of <code>{}</code>, has {} × {} × {} blocks; {} "
        "{}</p>\n",
        escaped(first.kernel), g[0], g[1], g[2], coordinates_text(t.block),
        is_there ? "did not run, because the kernel was stopped." : "is none of them.");
  }
  std::string text;
  for (const std::size_t most : column_limits)
    for (const bool has_numbers : {true, false})
      if (text = block_section_of(first, t, source, most, has_numbers); text.size() <= most_section_bytes) return text;
  return text;
}

const char* block_style() { return life_style; }

}  // namespace simtlab
