#include "judge/render/profile_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "judge/gpu/nsight_names.h"
#include "judge/render/block_picture.h"
#include "judge/render/fidelity.h"
#include "judge/render/race_paths.h"
#include "judge/render/request_picture.h"
#include "judge/render/source_highlight.h"
#include "judge/render/what_if.h"
#include "judge/score/line_counters.h"
#include "judge/wording.h"

namespace simtlab {
namespace {

constexpr std::size_t most_rows_of_picture = 32, most_listed_lines = 10;

// Blue, brown and grey stay apart for every kind of colour blindness, and each part differs in its text or its border, too.
constexpr const char* style = R"(
:root { color-scheme: light dark; --ink: #1a1a1a; --paper: #fff; --dim: #595959; --line: #b8b8b8; --asked: #005a94; --several: #8a4b00;
  --moved: #d0d0d0; --bad: #a11212; --link: #0b5cad; --comment: #4f6b4f; --text: #8a3b12; --keyword: #7a2a8c; --cuda: #005a94; --number: #0a6355; }
@media (prefers-color-scheme: dark) { :root { --ink: #eee; --paper: #161616; --dim: #adadad; --line: #5c5c5c; --asked: #0a6fb0;
  --several: #a35c07; --moved: #4a4a4a; --bad: #ff8a80; --link: #8ec1f7; --comment: #9dbd9d; --text: #e8a987; --keyword: #d7a3e6; --cuda: #8ec1f7; --number: #7fd1c2; } }
* { box-sizing: border-box; }
body { font: 15px/1.45 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 1rem; max-width: 76rem; overflow-wrap: anywhere; }
a { color: var(--link); } h1 { font-size: 1.5rem; line-height: 1.2; margin: 0 0 .3rem; } h2 { font-size: 1.15rem; margin: 1.4rem 0 .4rem; } p, ol { margin: .3rem 0 .7rem; max-width: 50rem; }
li a { display: inline-block; min-height: 1.6rem; } kbd { border: 1px solid var(--line); border-radius: 3px; padding: 0 .3em; }
table { border-collapse: collapse; font: 13px/1.5 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; } td, th { padding: 0 .6em; text-align: right; vertical-align: top; white-space: nowrap; overflow-wrap: normal; }
.wide { overflow-x: auto; } .left, td.source { text-align: left; } td.source { white-space: pre; tab-size: 4; } td.number a { display: inline-block; min-width: 1.6rem; min-height: 1.5rem; color: var(--dim); text-decoration: none; }
td > div { min-height: 1.5em; } th { color: var(--dim); font-weight: normal; } th a { color: inherit; display: inline-block; min-height: 1.5rem; } tr.costly td:first-child { border-left: 4px solid var(--several); } tr:target, tr.here { outline: 2px solid var(--asked); }
.meanings td, .meanings th { white-space: normal; text-align: left; padding: .15em .6em; } .meanings th[scope=row] { color: var(--ink); }
td.note { text-align: left; white-space: normal; } .notes { font: 14px/1.4 system-ui, sans-serif; max-width: min(46rem, 84vw); position: sticky; left: .6em; } .finding { color: var(--bad); } details { margin: .2em 0 .6em; } summary { cursor: pointer; min-height: 1.6rem; }
figure { margin: .4em 0 1em; } svg { font: 11px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: var(--ink); display: block; }
.f { fill: none; stroke: var(--line); } .m { fill: var(--moved); stroke: var(--ink); } .a { fill: var(--asked); } .s { fill: var(--several); }
.l { fill: #fff; text-anchor: middle; } .n { fill: var(--dim); }
.hc { color: var(--comment); } .hs { color: var(--text); } .hn { color: var(--number); } .hp, .hk { color: var(--keyword); } .hu { color: var(--cuda); }
.knobs { display: flex; flex-wrap: wrap; gap: .3rem 1rem; } .knobs label { display: inline-flex; gap: .4rem; align-items: center; } .knobs input, .knobs select { font: inherit; min-height: 1.7rem; width: 5.5rem; color: inherit; background: var(--paper); border: 1px solid var(--dim); border-radius: 4px; }
.what-if { border-left: 3px solid var(--line); padding-left: .7rem; } .what-if .counted { font-weight: 600; }
@media print { .what-if:not([open]) { display: none; } .wide { overflow: visible; } }
)";

constexpr const char* keys = R"(
const go = (which, step) => {
  const rows = [...document.querySelectorAll(which)].sort((a, b) => b.dataset.excess - a.dataset.excess);
  if (!rows.length) return;
  const here = rows.indexOf(document.querySelector('tr.here'));
  document.querySelectorAll('.here').forEach(row => row.classList.remove('here'));
  const row = rows[here < 0 ? (step > 0 ? 0 : rows.length - 1) : (here + step + rows.length) % rows.length];
  row.classList.add('here');
  row.nextElementSibling?.querySelectorAll('details.drawn').forEach(part => part.open = true);
  row.scrollIntoView({block: 'center'});
  row.querySelector('td.number a').focus({preventScroll: true});
};
document.addEventListener('keydown', e => {
  if (e.ctrlKey || e.metaKey || e.altKey || e.target.closest('input, select')) return;
  if (e.key === 'c' || e.key === 'C') go('tr.costly', e.key === 'c' ? 1 : -1);
  if (e.key === 'n' || e.key === 'N') go('tr.found', e.key === 'n' ? 1 : -1);
});
)";

std::string figures_of(const example_place& p) {
  std::string text;
  for (const request_example& e : p.examples) {
    const std::string words = words_of_request(p, e);
    const request_picture picture = picture_of(p, e);
    const std::string svg = picture_svg(picture, words, most_rows_of_picture);
    text += fmt::format("<figure><figcaption>{}{}{}</figcaption>", escaped(words),
                        picture.agrees ? "" : " (The hardware serves them in other passes than the picture's.)",
                        svg.empty() ? " Rows of cells would show nothing here, so there is no picture." : "");
    if (!svg.empty())
      text += fmt::format("<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">{}</div>",
                          escaped(fmt::format("{}: {}", p.access, e.reasons.front())), svg);
    text += "\n";
    if (picture.rows.size() > most_rows_of_picture)
      text += fmt::format("<p>and {} rows more</p>\n", picture.rows.size() - most_rows_of_picture);
    text += what_if_control(p, e) + "</figure>\n";
  }
  return text;
}

constexpr std::size_t most_findings_of_a_line = 6, most_linked_lines = 20;

/// A finding at one of its places; `other` is its place of the same source that is told, too.
struct placed_finding {
  const finding* of;
  int other = 0;
  std::string figure;  ///< of a race, where it is told first
};

struct line_parts {
  std::vector<line_row> rows;
  std::vector<const example_place*> places;
  std::vector<placed_finding> findings;

  [[nodiscard]] std::uint64_t excess() const {
    std::uint64_t sum = 0;
    for (const line_row& r : rows) sum += r.excess();
    return sum;
  }
};

using parts_by_line = std::map<int, line_parts>;

std::string line_link(int line) { return fmt::format("<a href=\"#L{0}\">line {0}</a>", line); }

/// Of a race whose blocks were traced.
std::string figure_of(const finding& f, const case_outcome& run, const source_text& source) {
  const auto race = std::ranges::find_if(run.traced_races, [&](const traced_race& r) { return is_same_race(r.of, f); });
  return race == run.traced_races.end() ? "" : race_figure(*race, source);
}

/// A line's findings as they are. Of a line that races with a hundred others the rest is counted, with their lines, and
/// those that have a drawing come first.
std::string findings_of(std::vector<placed_finding> findings) {
  if (findings.size() > most_findings_of_a_line)
    std::stable_partition(findings.begin(), findings.end(), [](const placed_finding& f) { return !f.figure.empty(); });
  std::string text;
  const std::size_t told = std::min(findings.size(), most_findings_of_a_line);
  for (const auto& [f, other, figure] : std::span(findings).first(told))
    text += fmt::format("<p class=\"finding\">{}: {}{}</p>{}", escaped(f->rule), escaped(f->message),
                        other > 0 ? fmt::format(" See {}, too.", line_link(other)) : "", figure);
  const std::span rest = std::span(findings).subspan(told);
  if (rest.empty()) return text;
  std::set<int> others;
  for (const placed_finding& f : rest)
    if (f.other > 0) others.insert(f.other);
  std::string links;
  std::size_t linked = 0;
  for (const int line : others)
    if (linked++ < most_linked_lines) links += (links.empty() ? ", with " : ", ") + line_link(line);
  if (linked > most_linked_lines) links += " and others";
  return text + fmt::format("<p class=\"finding\">And {} findings more at this line{}.</p>", rest.size(), links);
}

std::string notes_of(const line_parts& parts, bool is_open) {
  std::string notes = findings_of(parts.findings);
  for (const example_place* p : parts.places)
    notes += fmt::format(
        "<details class=\"drawn\"{}><summary>{} {}: {}</summary>\n{}</details>", is_open ? " open" : "",
        escaped(p->access), escaped(p->variable.empty() ? p->space + " memory" : p->variable),
        p->examples.size() == 1 ? "one of its requests" : fmt::format("{} of its requests", p->examples.size()),
        figures_of(*p));
  return notes;
}

std::string row_of(int number, const std::string& source, const line_parts& parts, bool is_dearest) {
  const std::uint64_t excess = parts.excess();
  std::string text = fmt::format("<tr id=\"L{}\"", number);
  if (excess > 0 || !parts.findings.empty())
    text += fmt::format(" class=\"{}{}\" data-excess=\"{}\"", excess > 0 ? "costly" : "",
                        parts.findings.empty() ? "" : " found", excess);
  text += ">";
  const auto column = [&](const auto& text_of) {
    text += "<td>";
    for (const line_row& r : parts.rows) text += fmt::format("<div>{}</div>", text_of(r));
    text += "</td>";
  };
  if (parts.rows.empty()) {
    text += "<td colspan=\"5\"></td>";
  } else {
    column([](const line_row& r) { return escaped(r.access); });
    column([](const line_row& r) { return grouped(r.requests); });
    column([](const line_row& r) { return r.sectors_text(); });
    column([](const line_row& r) { return r.wavefronts_text(); });
    column([](const line_row& r) { return r.lanes_text(); });
  }
  text += fmt::format("<td class=\"number\"><a href=\"#L{0}\">{0}</a></td><td class=\"source\">{1}</td></tr>\n", number,
                      source);
  if (const std::string notes = notes_of(parts, is_dearest); !notes.empty())
    text +=
        fmt::format("<tr><td colspan=\"6\"></td><td class=\"note\"><div class=\"notes\">{}</div></td></tr>\n", notes);
  return text;
}

/// The rows of all lines that cost more than they must, dearest first.
std::string dearest_list(const parts_by_line& lines) {
  std::vector<std::pair<int, const line_row*>> worst;
  for (const auto& [number, parts] : lines)
    for (const line_row& r : parts.rows)
      if (r.excess() > 0) worst.emplace_back(number, &r);
  if (worst.empty()) return "<p>No line of this source costs more sectors or wavefronts than it must.</p>\n";
  std::ranges::stable_sort(worst, std::greater<>(), [](const auto& w) { return w.second->excess(); });
  std::string text = "<h2>Dearest lines first</h2>\n<ol>\n";
  for (std::size_t i = 0; i < std::min(worst.size(), most_listed_lines); ++i)
    text += fmt::format("<li>{}, {}: {}</li>\n", line_link(worst[i].first), escaped(worst[i].second->access),
                        escaped(worst[i].second->cost_text()));
  return text + "</ol>\n";
}

int dearest_line(const parts_by_line& lines) {
  const auto most = std::ranges::max_element(lines, {}, [](const auto& l) { return l.second.excess(); });
  return most == lines.end() || most->second.excess() == 0 ? 0 : most->first;
}

/// "sectors", and that they are exact, with a link to what that means.
std::string heading(const char* words, const char* counter) {
  return fmt::format("<th scope=\"col\"><a href=\"#figure-{1}\">{0}<br>{2}</a></th>", words, counter,
                     fidelity_of(std::string_view(counter)));
}

std::string nsight_names_of(std::string_view counter) {
  std::string text;
  for (const nsight_name& n : nsight_names)
    if (counter == n.counter)
      text += fmt::format("{}<code>{}</code> ({} {})", text.empty() ? "" : "<br>", n.name, n.memory, n.access);
  return text;
}

std::string meanings() {
  std::string text =
      "<h2 id=\"figures\">What the figures are</h2>\n<p><b>exact</b>: the source and one of CUDA's rules decide; a GPU "
      "counts the same. <b>model</b>: on a GPU a compiler or a unit that NVIDIA does not document decides, and the "
      "emulator follows a model that was compared with an H200. <b>not modelled</b>: the emulator does not count "
      "it.</p>\n<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"What the figures are\"><table "
      "class=\"meanings\"><thead><tr><th scope=\"col\">counter</th><th scope=\"col\">is</th><th "
      "scope=\"col\">meaning</th><th scope=\"col\">in Nsight Compute</th></tr></thead><tbody>\n";
  for (const auto& c : emulator::request_counter_table)
    text += fmt::format("<tr id=\"figure-{0}\"><th scope=\"row\">{0}</th><td>{1}</td><td>{2}</td><td>{3}</td></tr>\n",
                        c.name, fidelity_of(c.exact), escaped(c.meaning), nsight_names_of(c.name));
  for (const nsight_absence& a : nsight_not_modelled)
    text += fmt::format("<tr><th scope=\"row\">{}</th><td>not modelled</td><td></td><td><code>{}</code></td></tr>\n",
                        a.what, a.name);
  return text + "</tbody></table></div>\n";
}

}  // namespace

std::string profile_page(const std::string& lab, const case_outcome& run, const source_text& source) {
  parts_by_line lines;
  for (line_row& r : line_counters(run.measured))
    if (source.is(r.file)) lines[r.line].rows.push_back(std::move(r));
  for (const launch_counters& l : run.measured.launches)
    for (const example_place& p : l.examples)
      if (source.is(p.file)) lines[p.line].places.push_back(&p);
  std::string elsewhere;
  for (const finding& f : run.measured.findings) {
    const int first = source.is(f.first.file) ? f.first.line : 0;
    const int second = f.second && source.is(f.second->file) && f.second->line != first ? f.second->line : 0;
    const std::string figure = figure_of(f, run, source);
    if (first > 0) lines[first].findings.push_back({&f, second, figure});
    if (second > 0) lines[second].findings.push_back({&f, first, first > 0 ? "" : figure});
    if (first == 0 && second == 0)
      elsewhere += fmt::format("<p class=\"finding\">{}: {}</p>\n", escaped(f.rule), escaped(f.message)) + figure;
  }
  const bool has_places = std::ranges::any_of(lines, [](const auto& l) { return !l.second.places.empty(); });

  std::string body = fmt::format("<h1>{} in lab {}</h1>\n<p>Measured with {} on the emulator.</p>\n",
                                 escaped(source.name()), escaped(lab), escaped(sizes_text(run.of)));
  if (!is_right(run.judged)) body += fmt::format("<p class=\"finding\">{}</p>\n", escaped(run.message));
  body += elsewhere + dearest_list(lines);
  const std::string block = run.measured.launches.empty() ? "" : block_section(run.measured.launches.front(), source);
  if (!block.empty())
    body += "<p>Below the source: <a href=\"#block\">what the warps of a block did</a>, between which barriers.</p>\n";
  body +=
      "<p>Keys: <kbd>c</kbd> goes to the next line that costs more than it must, the dearest first, <kbd>n</kbd> to "
      "the "
      "next finding; with Shift they go back.</p>\n";
  body +=
      has_places
          ? "<p>In a picture a blue cell is what one lane asks for, with its number; a brown one is what several "
            "lanes ask for, with how many; a grey one comes along with its sector of 32 bytes, and nobody asks for "
            "it. A row of shared memory is a pass through the 32 banks. Below a picture, <b>What if …</b> counts the "
            "same request with another pitch, padding, element or offset.</p>\n"
          : "<p>There are no pictures: no line of this source made a request to global, shared or constant "
            "memory that ended.</p>\n";
  body +=
      "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Source\"><table><thead><tr><th "
      "scope=\"col\">access</th>";
  body += heading("requests", "requests") + heading("sectors", "sectors") + heading("wavefronts", "wavefronts") +
          heading("lanes", "lanes");
  body +=
      "<th scope=\"col\">line</th><th scope=\"col\" class=\"left\">source; sectors, wavefronts and active lanes are "
      "per request</th></tr></thead><tbody>\n";
  const int dearest = dearest_line(lines);
  const std::vector<std::string> text = highlighted(source.lines());
  for (int n = 1; n <= static_cast<int>(source.size()); ++n) {
    const auto at = lines.find(n);
    body +=
        row_of(n, text[static_cast<std::size_t>(n - 1)], at == lines.end() ? line_parts{} : at->second, n == dearest);
  }
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>{}: profile</title>"
      "<style>{}{}</style></head><body><main>\n{}</tbody></table></div>\n{}{}</main><script>{}{}</script></body></"
      "html>\n",
      escaped(lab), style, block.empty() ? "" : block_style(), body, block, meanings(), keys,
      has_places ? what_if_script() : "");
}

}  // namespace simtlab
