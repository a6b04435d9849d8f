#include "judge/render/profile_page.h"

#include <fmt/format.h>

#include <map>
#include <vector>

#include "judge/render/request_picture.h"
#include "judge/score/line_counters.h"
#include "judge/wording.h"

namespace simtlab {
namespace {

constexpr std::size_t most_rows_of_picture = 32;

// Blue, orange and grey stay apart for every kind of colour blindness, and each part differs in its text or its border, too.
constexpr const char* style = R"(
:root { color-scheme: light dark; --ink: #1a1a1a; --paper: #fff; --dim: #595959; --line: #b8b8b8; --asked: #005a94; --several: #8a4b00;
  --moved: #d0d0d0; --bad: #a11212; }
@media (prefers-color-scheme: dark) { :root { --ink: #eee; --paper: #161616; --dim: #adadad; --line: #5c5c5c; --asked: #0a6fb0;
  --several: #a35c07; --moved: #4a4a4a; --bad: #ff8a80; } }
body { font: 15px/1.45 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 1rem; max-width: 76rem; }
table { border-collapse: collapse; font: 13px/1.5 ui-monospace, monospace; } td, th { padding: 0 .6em; text-align: right; vertical-align: top; white-space: nowrap; }
.wide { overflow-x: auto; } td.source { text-align: left; white-space: pre; } td.source a { color: inherit; text-decoration: none; }
td > div { min-height: 1.5em; } th { color: var(--dim); font-weight: normal; } tr.costly td:first-child { border-left: 4px solid var(--several); } tr:target, tr.here { outline: 2px solid var(--asked); }
td.note { text-align: left; white-space: normal; max-width: 50rem; } .finding { color: var(--bad); } details { margin: .2em 0 .6em; } summary { cursor: pointer; }
figure { margin: .4em 0 1em; } figcaption { font: 14px/1.4 system-ui, sans-serif; max-width: min(44rem, 90vw); } svg { font: 11px ui-monospace, monospace; fill: var(--ink); }
.f { fill: none; stroke: var(--line); } .m { fill: var(--moved); stroke: var(--ink); } .a { fill: var(--asked); } .s { fill: var(--several); }
.l { fill: #fff; text-anchor: middle; } .n { fill: var(--dim); }
)";

constexpr const char* script = R"(
const next = (which, step) => {
  const rows = [...document.querySelectorAll(which)];
  if (!rows.length) return;
  const here = rows.indexOf(document.querySelector(which + '.here'));
  document.querySelectorAll('.here').forEach(row => row.classList.remove('here'));
  const row = rows[here < 0 ? (step > 0 ? 0 : rows.length - 1) : (here + step + rows.length) % rows.length];
  row.classList.add('here');
  row.nextElementSibling?.querySelectorAll('details').forEach(part => part.open = true);
  row.scrollIntoView({block: 'center'});
};
document.addEventListener('keydown', e => {
  if (e.ctrlKey || e.metaKey || e.altKey) return;
  if (e.key === 'n') next('tr.costly', 1);
  if (e.key === 'p') next('tr.costly', -1);
  if (e.key === 'f') next('tr.found', 1);
});
)";

std::string figures_of(const example_place& p) {
  std::string text;
  for (const request_example& e : p.examples) {
    const std::string words = words_of_request(p, e);
    const request_picture picture = picture_of(p, e);
    text += fmt::format("<figure><figcaption>{}{}</figcaption><div class=\"wide\" tabindex=\"0\">{}</div></figure>\n",
                        escaped(words),
                        picture.agrees ? "" : " (The hardware serves them in other passes than the picture's.)",
                        picture_svg(picture, words, most_rows_of_picture));
    if (picture.rows.size() > most_rows_of_picture)
      text += fmt::format("<p>and {} rows more</p>\n", picture.rows.size() - most_rows_of_picture);
  }
  return text;
}

struct line_parts {
  std::vector<line_row> rows;
  std::vector<const example_place*> places;
  std::vector<const finding*> findings;

  [[nodiscard]] std::uint64_t excess() const {
    std::uint64_t sum = 0;
    for (const line_row& r : rows) sum += r.excess();
    return sum;
  }
};

std::string row_of(int number, const std::string& source, const line_parts& parts) {
  std::string text = fmt::format("<tr id=\"L{}\" class=\"{}{}\">", number, parts.excess() > 0 ? "costly" : "",
                                 parts.findings.empty() ? "" : " found");
  const auto column = [&](const auto& text_of) {
    text += "<td>";
    for (const line_row& r : parts.rows) text += fmt::format("<div>{}</div>", text_of(r));
    text += "</td>";
  };
  column([](const line_row& r) { return escaped(r.access); });
  column([](const line_row& r) { return grouped(r.requests); });
  column([](const line_row& r) { return r.sectors_text(); });
  column([](const line_row& r) { return r.wavefronts_text(); });
  column([](const line_row& r) { return r.lanes_text(); });
  text +=
      fmt::format("<td><a href=\"#L{0}\">{0}</a></td><td class=\"source\">{1}</td></tr>\n", number, escaped(source));
  std::string notes;
  for (const finding* f : parts.findings)
    notes += fmt::format("<div class=\"finding\">{}: {}</div>", escaped(f->rule), escaped(f->message));
  for (const example_place* p : parts.places)
    notes += fmt::format(
        "<details><summary>{} {}: {}</summary>\n{}</details>", escaped(p->access),
        escaped(p->variable.empty() ? p->space + " memory" : p->variable),
        p->examples.size() == 1 ? "one of its requests" : fmt::format("{} of its requests", p->examples.size()),
        figures_of(*p));
  if (!notes.empty()) text += fmt::format("<tr><td colspan=\"6\"></td><td class=\"note\">{}</td></tr>\n", notes);
  return text;
}

}  // namespace

std::string profile_page(const std::string& lab, const case_outcome& run, const source_text& source) {
  std::map<int, line_parts> lines;
  for (line_row& r : line_counters(run.measured))
    if (source.is(r.file)) lines[r.line].rows.push_back(std::move(r));
  for (const launch_counters& l : run.measured.launches)
    for (const example_place& p : l.examples)
      if (source.is(p.file)) lines[p.line].places.push_back(&p);
  std::string elsewhere;
  for (const finding& f : run.measured.findings) {
    if (source.is(f.first.file) && f.first.line > 0)
      lines[f.first.line].findings.push_back(&f);
    else
      elsewhere += fmt::format("<p class=\"finding\">{}: {}</p>\n", escaped(f.rule), escaped(f.message));
  }

  std::string body = fmt::format("<h1>{} in lab {}</h1>\n<p>Measured with {} on the emulator.</p>\n",
                                 escaped(source.name()), escaped(lab), escaped(sizes_text(run.of)));
  if (!is_right(run.judged)) body += fmt::format("<p class=\"finding\">{}</p>\n", escaped(run.message));
  body += elsewhere;
  body +=
      "<p>Keys: <kbd>n</kbd> and <kbd>p</kbd> go to the next and the previous line that costs more than it must, "
      "<kbd>f</kbd> to the "
      "next finding.</p>\n<p>In a picture a blue cell is what one lane asks for, with its number; a brown one is what "
      "several lanes "
      "ask for, with how many; a grey one comes along with its sector of 32 bytes, and nobody asks for it. A row of "
      "shared memory is "
      "a pass through the 32 banks.</p>\n";
  body +=
      "<div class=\"wide\" "
      "tabindex=\"0\"><table><thead><tr><th>access</th><th>requests</th><th>sectors</th><th>wavefronts</th>"
      "<th>lanes</th><th>line</th><th style=\"text-align:left\">source; sectors, wavefronts and active lanes are per "
      "request</th>"
      "</tr></thead><tbody>\n";
  for (int n = 1; n <= static_cast<int>(source.size()); ++n) {
    const auto at = lines.find(n);
    body += row_of(n, source.line(n), at == lines.end() ? line_parts{} : at->second);
  }
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>{}: profile</title>"
      "<style>{}</style></head><body><main>\n{}</tbody></table></div></main><script>{}</script></body></html>\n",
      escaped(lab), style, body, script);
}

}  // namespace simtlab
