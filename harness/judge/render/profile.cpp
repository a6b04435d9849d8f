#include "judge/render/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <sstream>

#include "core/gpu_model.h"
#include "core/occupancy.h"
#include "judge/render/fidelity.h"
#include "judge/render/lecture_measures.h"
#include "judge/render/line_pictures.h"
#include "judge/render/timeline.h"
#include "judge/score/equal_launches.h"
#include "judge/score/line_counters.h"
#include "judge/score/residency.h"
#include "judge/wording.h"

namespace simtlab {
namespace {

constexpr std::size_t most_worst_lines = 5;
constexpr const char* header = "requests sect wave lane";
constexpr std::size_t counter_columns = 23;  // of the header
constexpr std::size_t number_columns = 6;    // line number, bar, space

// The rows of one line of the source in one: what counts is what differs between lines.
struct line_summary {
  std::vector<const line_row*> rows;
  std::vector<const finding*> findings;
};

std::string row_columns(const line_row& r) {
  const std::string requests =
      r.requests < 1'000'000 ? grouped(r.requests) : fmt::format("{:.2f}M", static_cast<double>(r.requests) / 1e6);
  return fmt::format("{:>8} {:>4} {:>4} {:>4}", requests, r.sectors_text(), r.wavefronts_text(), r.lanes_text());
}

colour shade_of(const line_row& r) {
  const emulator::request_figures f = r.figures();
  if (f.excess() == 0) return colour::green;
  return f.excess() >= f.fewest() ? colour::red : colour::yellow;
}

// A shared array's name says nothing of where it lies, and its figure stands in another column.
std::string also_text(const line_row& r) {
  return fmt::format("also {}{}", r.access, r.space == "shared" && !r.variable.empty() ? " (shared)" : "");
}

constexpr std::size_t rows_of_picture = 4;

/// A request of the row as a picture: the most frequent one, and the worst where it costs more.
std::string pictures_of(const line_row& r, const measurements& m, std::size_t width) {
  std::string text;
  for (const auto& [place, example] : shown_requests(m, r)) {
    const std::string rows = picture_text(picture_of(*place, *example), rows_of_picture);
    if (rows.empty()) continue;
    for (const std::string& line : wrapped(words_of_request(*place, *example), width - 6))
      text += "      " + line + "\n";
    std::istringstream each(rows);
    for (std::string line; std::getline(each, line);) text += "      " + line + "\n";
  }
  return text;
}

/// How full the launch can make a multiprocessor of the GPU that SIMTLAB_GPU names, by CUDA's rules: theory, in which
/// registers limit nothing where no compiler for the GPU has said how many a kernel takes (--engine sass).
std::string occupancy_text(const launch_counters& l) {
  namespace rules = emulator;
  const char* const key = std::getenv("SIMTLAB_GPU");
  const rules::gpu_model* named = key == nullptr ? nullptr : rules::find_gpu(key);
  const rules::gpu_model& gpu = named == nullptr ? rules::gpu_models().front() : *named;
  const rules::occupancy fits = rules::occupancy_of(gpu, needs_of(l));
  return fmt::format("occupancy {:.0f} %: {}", 100.0 * fits.warps / std::max(fits.most_warps, 1U),
                     occupancy_words(gpu, fits));
}

/// Where no line wastes what its requests move: that, and the line whose lanes wait most, if many do.
std::string praise(const std::vector<line_row>& rows, const text_style& style) {
  constexpr double few = 0.75;
  const auto lanes_of = [](const line_row& r) { return static_cast<double>(r.lanes); };
  const auto all_of = [](const line_row& r) { return static_cast<double>(r.requests) * emulator::warp_size; };
  double lanes = 0, all = 0;
  for (const line_row& r : rows) {
    lanes += lanes_of(r);
    all += all_of(r);
  }
  const auto most = std::ranges::max_element(rows, {}, [&](const line_row& r) { return all_of(r) - lanes_of(r); });
  if (lanes > few * all) return style(colour::green, "no line wastes a sector or a wavefront\n");
  return style(colour::yellow,
               fmt::format("no line wastes a sector or a wavefront, but {}:{} works with {:.3g} of 32 lanes\n",
                           most->file, most->line, lanes_of(*most) / static_cast<double>(most->requests)));
}

}  // namespace

std::string profile_text(const case_outcome& run, const source_text& source, const text_style& style,
                         std::size_t width) {
  const std::vector<line_row> rows = line_counters(run.measured);
  std::map<int, line_summary> lines;
  for (const line_row& r : rows)
    if (source.is(r.file)) lines[r.line].rows.push_back(&r);
  std::vector<const finding*> elsewhere;
  for (const finding& f : run.measured.findings) {
    if (source.is(f.first.file) && f.first.line > 0)
      lines[f.first.line].findings.push_back(&f);
    else
      elsewhere.push_back(&f);
    if (f.second && source.is(f.second->file) && f.second->line != f.first.line)
      lines[f.second->line].findings.push_back(&f);
  }

  std::string text = style(colour::bold, fmt::format("{}, measured with {}\n", source.name(), sizes_text(run.of)));
  if (!is_right(run.judged))
    for (const std::string& line : wrapped(fmt::format("{}: {}", words_for(run.judged), run.message), width))
      text += style(colour::red, line) + "\n";
  for (const launch_counters& l : folded_launches(run.measured.launches)) {
    std::string launch = fmt::format("{}: grid {}x{}x{}, block {}x{}x{}, {} B shared", l.kernel, l.grid[0], l.grid[1],
                                     l.grid[2], l.block[0], l.block[1], l.block[2], l.shared_bytes);
    // A GPU counts no steps: barriers, divergence and the emulated multiprocessor are the emulator's alone.
    if (l.steps > 0)
      launch += fmt::format(", {} barriers, {:.1f} % of steps divergent", grouped(l.barriers),
                            100.0 * static_cast<double>(l.divergent_steps) / static_cast<double>(l.steps));
    if (l.times > 1) launch += fmt::format(" ({} launches like this one, counted together)", grouped(l.times));
    for (const std::string& line : wrapped(launch, width)) text += line + "\n";
    if (l.steps == 0) continue;
    for (const std::string& line : wrapped(occupancy_text(l), width)) text += line + "\n";
  }

  text += "\n" + style(colour::dim, std::string(header) + " line\n");
  const std::size_t room = std::max<std::size_t>(width, 60) - counter_columns - number_columns;
  const std::string blank(counter_columns, ' ');
  for (int n = 1; n <= static_cast<int>(source.size()); ++n) {
    const auto at = lines.find(n);
    const line_summary summary = at == lines.end() ? line_summary{} : at->second;
    const std::string quoted =
        fmt::format("{} {}", style(colour::dim, fmt::format("{:>4}|", n)), shortened(source.line(n), room));
    if (summary.rows.empty()) text += blank + quoted + "\n";
    for (std::size_t i = 0; i < summary.rows.size(); ++i) {
      const line_row& r = *summary.rows[i];
      text += style(shade_of(r), row_columns(r));
      if (i == 0) text += quoted;
      if (i > 0) text += fmt::format("    | {}", style(colour::dim, also_text(r)));
      text += "\n";
    }
    for (const finding* f : summary.findings)
      for (const std::string& line : wrapped(fmt::format("{}: {}", f->rule, f->message), room))
        text += blank + "    | " + style(f->level == severity::error ? colour::red : colour::yellow, line) + "\n";
  }
  text += style(colour::dim, "sectors (global), wavefronts (shared, constant) and active lanes are per request\n");
  if (run.uncounted.empty())
    for (const std::string& line : wrapped(std::string(fidelity_sentence()), width))
      text += style(colour::dim, line) + "\n";

  text += timeline_text(run.measured.timeline, style, width);

  std::vector<const line_row*> worst;
  for (const line_row& r : rows)
    if (r.excess() > 0) worst.push_back(&r);
  std::ranges::stable_sort(worst, std::greater<>(), [](const line_row* r) { return r->excess(); });
  bool has_pictures = false;
  if (!worst.empty()) text += "\n" + style(colour::bold, "worst lines first\n");
  for (std::size_t i = 0; i < std::min(worst.size(), most_worst_lines); ++i) {
    const line_row& r = *worst[i];
    text += fmt::format("  {}:{} {}: {}\n", r.file, r.line, r.access, r.cost_text());
    if (const std::string line = source.is(r.file) ? source.line(r.line) : ""; !line.empty())
      text += style(colour::dim, "      " + shortened(line.substr(line.find_first_not_of(' ')), width - 6)) + "\n";
    if (const std::string pictures = pictures_of(r, run.measured, width); !pictures.empty()) {
      text += pictures;
      has_pictures = true;
    }
  }
  if (has_pictures)
    for (const std::string& line : wrapped(picture_legend(), width)) text += style(colour::dim, line) + "\n";
  text += lecture_measures(rows, style, width);
  if (!run.uncounted.empty()) {
    text += "\n";
    for (const std::string& line : wrapped("The GPU counted nothing: " + run.uncounted, width)) text += line + "\n";
  }
  const bool has_error =
      std::ranges::any_of(run.measured.findings, [](const finding& f) { return f.level == severity::error; });
  if (run.judged != verdict::pass || has_error) {
    text += "\n";
    for (const std::string& line :
         wrapped("Make it right first: until the answer is right and nothing is found, these figures are "
                 "those of another program. `make test` says what is wrong.",
                 width))
      text += style(colour::red, line) + "\n";
  } else if (worst.empty() && !rows.empty()) {
    text += "\n" + praise(rows, style);
  }
  if (!elsewhere.empty()) text += "\n" + style(colour::bold, "findings without a line in this file\n");
  for (const finding* f : elsewhere)
    for (const std::string& line : wrapped(fmt::format("{}: {}", f->rule, f->message), width - 2))
      text += "  " + line + "\n";
  return text;
}

}  // namespace simtlab
