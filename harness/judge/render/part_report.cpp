#include "judge/render/part_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "judge/decide/branch_lines.h"
#include "judge/decide/case_pattern.h"
#include "judge/decide/explanation.h"
#include "judge/decide/finding_context.h"
#include "judge/decide/finding_group.h"
#include "judge/decide/thread_coverage.h"
#include "judge/score/equal_launches.h"
#include "judge/score/line_counters.h"
#include "judge/wording.h"

namespace simtlab {
namespace {

constexpr std::size_t most_cases_explained = 3;
constexpr std::size_t most_unexplained_shown = 2;
constexpr std::size_t most_findings_shown = 6;
constexpr std::size_t most_launches_shown = 3;
constexpr std::size_t most_counter_lines = 12;
constexpr std::size_t most_printed_lines = 8;
constexpr double most_telling_percent = 1000;

std::string time_line(const case_outcome& benchmark) {
  if (!benchmark.measured.timed) return "";
  const std::vector<double>& all = benchmark.measured.timed->milliseconds;
  const auto bounds = median_interval(all, median_confidence);
  return fmt::format("  median of {} calls: {:.4g} ms{}\n", all.size(), median(all).value_or(0),
                     bounds ? fmt::format(" ({:.4g} to {:.4g})", bounds->low, bounds->high) : "");
}

std::string block(const std::string& indent, const std::string& text) {
  std::string lines;
  for (const std::string& line : wrapped(text, report_width - indent.size())) lines += indent + line + "\n";
  return lines;
}

std::string number(double value) {
  if (value >= 100'000 && value == std::floor(value)) return grouped(static_cast<std::uint64_t>(value));
  return value != 0 && (value < 0.01 || value >= 100'000) ? fmt::format("{:.3g}", value) : fmt::format("{:.4g}", value);
}

std::string name_of(const evaluated_criterion& e) {
  const measurable& of = e.of->metric;
  const std::string says(description_of(of.what).says);
  return of.of.empty() ? says : fmt::format("{} ({})", says, of.of);
}

// Cases with a planted fault say nothing of sizes.
std::vector<sized_case> sized_cases(const std::vector<case_outcome>& cases) {
  std::vector<sized_case> all;
  for (const case_outcome& c : cases)
    if (c.measured.injected_error == 0 && !c.of.empty()) all.push_back({c.of, is_right(c.judged)});
  return all;
}

}  // namespace

std::string part_report::quoted(const std::string& file, int line) const {
  if (!source_.is(file) || line == 0) return "";
  std::string text = source_.line(line);
  text.erase(0, text.find_first_not_of(' '));
  if (text.empty()) return "";
  const std::string number = fmt::format("    {:>4} | ", line);
  std::string lines;
  for (const std::string& part : wrapped(text, report_width - number.size()))
    lines += (lines.empty() ? style_(colour::dim, number) : std::string(number.size() + 2, ' ')) + part + "\n";
  return lines;
}

std::string part_report::mismatch_lines(const mismatch& m) const {
  const std::size_t width = std::max<std::size_t>(18, longest_element_name(m));
  const auto row = [&](const wrong_element& w, bool right) {
    const told_apart texts = told_apart_in(m, w);
    const std::string actual = w.never_written ? "never written" : texts.actual;
    std::string error;
    if (!right && !m.integers && std::isfinite(w.actual - w.expected)) {
      error = fmt::format("{:.2g}", std::fabs(w.actual - w.expected));
      const double percent = 100 * std::fabs((w.actual - w.expected) / w.expected);
      if (percent < most_telling_percent) error += fmt::format(" ({:.3g} %)", percent);
    }
    std::string line = fmt::format("      {} {} {} {}", padded(element_name(m.argument, w.index), width),
                                   padded(texts.expected, 15), padded(actual, 15), right ? "right" : error);
    line.erase(line.find_last_not_of(' ') + 1);
    return line + "\n";
  };
  std::string text = style_(colour::dim, fmt::format("      {:<{}} {:<15} {:<15} {}\n", "element", width, "expected",
                                                     "found", m.integers ? "" : "off by"));
  for (const wrong_element& w : m.good_before) text += row(w, true);
  for (const wrong_element& w : m.first) text += row(w, false);
  if (m.wrong > m.first.size()) text += fmt::format("      … and {} more\n", grouped(m.wrong - m.first.size()));
  return text;
}

std::string part_report::case_line(const case_outcome& c, const std::string& rest) const {
  return fmt::format("  {} {}{}{}\n", style_(colour::red, padded(std::string(words_for(c.judged)), 14)),
                     style_(colour::bold, c.name),
                     c.of.empty() || !rest.empty() ? "" : style_(colour::dim, " (" + sizes_text(c.of) + ")"), rest);
}

std::string part_report::case_lines(const case_outcome& c, const std::string& says) const {
  std::string text = case_line(c, "");
  text += block("    ", c.summary + (c.summary.empty() || says.empty() ? "" : " ") + says);
  if (c.wrong && c.wrong->never_written < c.wrong->total) text += mismatch_lines(*c.wrong);
  if (c.wrong) text += launched_lines(c);
  return text;
}

std::string part_report::launched_lines(const case_outcome& c) const {
  std::string text;
  std::size_t shown = 0;
  for (const launch_counters& l : folded_launches(c.measured.launches))
    if (shown++ < most_launches_shown)
      text += block("      ", launch_text(l) + (l.times > 1 ? fmt::format(", {} times", grouped(l.times)) : ""));
  return style_(colour::dim, text);
}

std::string part_report::printed_lines(const std::string& printed) const {
  if (printed.empty()) return "";
  std::string text = style_(colour::dim, "    the program printed:\n");
  std::size_t shown = 0;
  std::string line;
  for (const char ch : printed + "\n") {
    if (ch != '\n') {
      line += ch;
      continue;
    }
    if (!line.empty() && shown++ < most_printed_lines)
      for (const std::string& part : wrapped(line, report_width - 6)) text += "      " + part + "\n";
    line.clear();
  }
  if (shown > most_printed_lines) text += fmt::format("      … and {} more lines\n", shown - most_printed_lines);
  return text;
}

std::string part_report::correct() const {
  const auto& cases = of_.cases();
  const correct_result& result = of_.correct();
  if (const lab_verdict overall = of_.overall(); overall.judged == verdict::unsolved)
    return style_(colour::red, "unsolved") + "\n" + block("  ", overall.message);
  std::string text = result.how == status::pass
                         ? style_(colour::green, fmt::format("all {} cases are right\n", result.total))
                         : style_(colour::red, fmt::format("{} of {} cases {} right\n", result.passed, result.total,
                                                           result.passed == 1 ? "is" : "are"));
  const std::optional<chosen_explanation> best = best_explanation(cases);
  const bool unsafe =
      std::ranges::any_of(of_.safe().findings, [](const finding& f) { return f.level == severity::error; });
  const bool by_safe = unsafe && (!best || best->what.how != certainty::certain);
  const std::string cause = best ? best->what.cause : "";
  const bool leak_in_safe = std::ranges::find(of_.safe().findings, "leak", &finding::rule) != of_.safe().findings.end();
  std::size_t explained = 0;
  bool leak_told = false, cause_told = false;
  std::set<std::string> told;  // messages
  // A student prints to see something: of the failing cases the first one's output is shown, else of the right ones'.
  bool shows_printed = result.how == status::fail, any_failed = false;
  for (const case_outcome& c : cases) {
    if (is_right(c.judged)) {
      const bool leaks = c.judged == verdict::leak;  // the answer is right all the same
      text += fmt::format(
          "  {} {}{}{}\n",
          leaks ? style_(colour::yellow, padded("right, leak", 14)) : style_(colour::green, padded("right", 14)),
          c.name, c.of.empty() ? "" : style_(colour::dim, " (" + sizes_text(c.of) + ")"),
          leaks && leak_in_safe && !std::exchange(leak_told, true) ? ": see safe" : "");
      if (leaks && !leak_in_safe && !std::exchange(leak_told, true)) text += block("    ", c.message);
      if (!shows_printed) text += printed_lines(c.printed);
      shows_printed = shows_printed || !c.printed.empty();
      continue;
    }
    if (by_safe && !c.likely.empty() && c.likely.front().how == certainty::finding) {
      text += case_line(c, ": see safe");
    } else if (best && best->of == &c && !by_safe) {
      text += case_lines(c, best->what.says);
      cause_told = true;
    } else if (best && !by_safe && has_cause(c, cause)) {
      text += case_line(c, cause_told ? ": the same" : ": as below");
    } else if (c.wrong) {
      const bool full = !by_safe && (!best || best->what.how == certainty::vague) && explained < most_unexplained_shown;
      text += full ? case_lines(c, "") : case_line(c, "");
      if (by_safe && explained == 0 && c.wrong->never_written < c.wrong->total) text += block("    ", c.summary);
      ++explained;
    } else if (!told.insert(c.message).second) {
      text += case_line(c, ": the same");
    } else {
      text += explained++ < most_cases_explained ? case_lines(c, c.likely.empty() ? "" : c.likely.front().says)
                                                 : case_line(c, "");
    }
    if (!std::exchange(any_failed, true)) text += printed_lines(c.printed);
  }
  for (const skipped_case& s : of_.skipped()) text += block("  ", fmt::format("SKIP: {}: {}", s.name, s.reason));
  if (result.how != status::fail) return text;
  const bool is_explained = best && best->what.how >= certainty::likely;
  if (const std::string common = what_fails(sized_cases(cases)); !common.empty() && !is_explained)
    text += block("", common);
  return text + block("", by_safe ? "Next: start with what safe reports; it says what lies behind the wrong values."
                          : best && best->what.how != certainty::finding
                              ? fmt::format("Next: mend what is said of the case \"{}\".", best->of->name)
                              : "Next: take the smallest failing case and follow by hand the thread that owns the "
                                "first wrong element.");
}

std::string part_report::finding_lines(const finding_group& group) const {
  const finding& f = group.first;
  const colour shade = f.level == severity::error     ? colour::red
                       : f.level == severity::warning ? colour::yellow
                                                      : colour::dim;
  std::string head = style_(shade, std::string(f.level == severity::error     ? "error"
                                               : f.level == severity::warning ? "warning"
                                                                              : "note"));
  head += " " + style_(colour::bold, f.rule);
  if (!group.variables.empty()) head += fmt::format(" of {}", fmt::join(group.variables, ", "));
  if (!f.kernel.empty()) head += " in " + f.kernel;
  if (f.times > 1) head += style_(colour::dim, fmt::format(" ({} times)", grouped(f.times)));
  std::string text = "  " + head + "\n" + block("    ", f.message);
  for (const finding_place& p : group.places) text += quoted(p.file, p.line);
  const bool of_lanes = f.rule == "inactive-lane";
  const std::vector<int> branches = branch_lines(f, source_);
  if (!branches.empty()) {
    const bool on_its_line = std::ranges::all_of(branches, [&](int line) { return line == f.first.line; });
    text += block(
        "    ", fmt::format("The {} stands in {} branch{}, which {} may not all take{}", of_lanes ? "call" : "barrier",
                            on_its_line ? "a" : "this", on_its_line ? " on its line" : "",
                            of_lanes ? "lanes of one warp" : "threads of the block", on_its_line ? "." : ":"));
    for (const int line : branches)
      if (line != f.first.line) text += quoted(source_.name(), line);
  }
  std::vector<int> returns = return_lines(f, source_);
  if (of_lanes)
    if (std::vector<int> parting = returns_that_part_a_warp(returns, source_); !parting.empty() || !branches.empty())
      returns = std::move(parting);
  if (!returns.empty()) {
    text += block("    ", f.rule == "leak" ? "Does this return pass by the cudaFree?" : "The kernel returns here:");
    for (const int line : returns) text += quoted(source_.name(), line);
  }
  if (source_.name().empty() && !places_of(f).empty()) text += "    " + places_of(f) + "\n";
  if (const std::string who = who_of(f); !who.empty()) text += style_(colour::dim, block("    ", who));
  if (!group.followed_by.empty())
    text += block("    ", fmt::format("What follows from it is left out: {}.", fmt::join(group.followed_by, ", ")));
  return text;
}

std::string part_report::who_of(const finding& f) const {
  std::string who;
  const auto add = [&who](const finding_place& p) {
    if (!p.thread || !p.block) return;
    who += fmt::format("{}thread {} of block {} {}", who.empty() ? "" : ", ", coordinates_text(*p.thread),
                       coordinates_text(*p.block), p.action);
  };
  add(f.first);
  if (f.second) add(*f.second);
  const auto has_it = [&f](const case_outcome& c) {
    return std::ranges::any_of(c.measured.findings, [&f](const finding& one) { return is_same(one, f); });
  };
  const char* const apart = who.empty() ? "" : "; ";
  for (const case_outcome& c : of_.cases())
    if (has_it(c)) return fmt::format("{}{}seen first in the case: {}", who, apart, c.name);
  if (const auto& benchmark = of_.fast().benchmark; benchmark && has_it(*benchmark))
    return fmt::format("{}{}seen at the benchmark's size alone: {}", who, apart, sizes_text(benchmark->of));
  return who;
}

std::string part_report::safe() const {
  const safe_result& result = of_.safe();
  if (result.how == status::not_measured) return block("", "not measured: " + result.reason);
  const std::vector<finding_group> findings = grouped_findings(result.findings);
  const auto errors =
      std::ranges::count_if(findings, [](const finding_group& g) { return g.first.level == severity::error; });
  std::string text =
      result.how == status::pass
          ? style_(colour::green, result.findings.empty() ? "no findings\n" : "no errors\n")
          : style_(colour::red, fmt::format("{} {} of severity error\n", errors, errors == 1 ? "finding" : "findings"));
  if (const auto best = best_explanation(of_.cases()); errors > 0 && best && best->what.how == certainty::certain)
    text += block("  ", "First mend what correct says: what stands here may follow from it.");
  std::size_t shown = 0;
  for (const finding_group& g : findings)
    if (shown++ < most_findings_shown) text += finding_lines(g);
  if (shown > most_findings_shown)
    text += fmt::format("  … and {} more {}\n", shown - most_findings_shown,
                        shown == most_findings_shown + 1 ? "finding" : "findings");
  if (!result.unsanitized.empty()) text += block("  ", result.unsanitized);
  return text;
}

std::string part_report::criterion_lines(const evaluated_criterion& e, std::size_t width) const {
  const std::string name = name_of(e);
  if (!e.measured)
    return fmt::format("  {} {}\n", padded(name, width), style_(colour::dim, "not measured")) +
           style_(colour::dim, block("    ", e.reason + "."));
  const bool is_full = e.fraction >= 1;
  std::string text = fmt::format("  {} {:>8} {:>8} {}\n", padded(name, width), e.value ? number(*e.value) : "none",
                                 number(e.of->full_value),
                                 style_(is_full          ? colour::green
                                        : e.fraction > 0 ? colour::yellow
                                                         : colour::red,
                                        fmt::format("{:>5.1f} of {:.1f}", e.percent * e.fraction, e.percent)));
  if (is_full) return text;
  if (!e.reason.empty()) text += block("    ", e.reason + ".");
  if (e.where) text += quoted(e.where->file, e.where->line);
  return text + block("    ", idea_of(e));
}

std::string part_report::counter_lines(const measurements& m) const {
  auto rows = line_counters(m);
  if (rows.empty()) return "";
  // Long names of variables take their room from the places.
  constexpr std::size_t both = 38;
  std::size_t access = 18;
  for (const line_row& r : rows) access = std::max(access, r.access.size());
  const std::size_t place = both - std::min(access, both - 14);
  std::string text =
      style_(colour::dim, fmt::format("\n  {} {} {:>10} {:>7} {:>7} {:>5}\n", padded("line", place),
                                      padded("access", access), "requests", "sectors", "wavefr.", "lanes"));
  std::size_t shown = 0;
  for (const line_row& r : rows) {
    if (shown++ == most_counter_lines) break;
    text += fmt::format("  {} {} {:>10} {:>7} {:>7} {:>5}\n", padded(fmt::format("{}:{}", r.file, r.line), place),
                        padded(r.access, access), grouped(r.requests), r.sectors_text(), r.wavefronts_text(),
                        r.lanes_text());
  }
  if (rows.size() > most_counter_lines)
    text += fmt::format("  … and {} more lines\n", rows.size() - most_counter_lines);
  return text + style_(colour::dim, "  sectors, wavefronts and active lanes are per request\n");
}

std::string part_report::fast() const {
  const fast_result& result = of_.fast();
  const std::string sizes = sizes_text(of_.benchmark_of_backend());
  if (result.how == status::not_measured && !result.benchmark) return block("", "not measured: " + result.reason);
  if (result.how == status::not_measured)
    return block("", "not measured: " + result.reason) + time_line(*result.benchmark) +
           counter_lines(result.benchmark->measured);
  if (!result.reason.empty()) return style_(colour::red, "score 0 of 100") + "\n" + block("  ", result.reason);
  std::string text = style_(result.how == status::pass ? colour::green : colour::red,
                            fmt::format("score {:.3g} of 100", result.score)) +
                     fmt::format(" ({:.0f} pass), measured with {}\n", of_.specification().pass_at, sizes);
  std::vector<const evaluated_criterion*> shown;  // what is for another backend says nothing of this program
  for (const evaluated_criterion& e : result.criteria)
    if (is_for(of_.options().backend, *e.of, of_.specification().kind)) shown.push_back(&e);
  std::size_t width = 38;
  for (const evaluated_criterion* e : shown) width = std::max(width, name_of(*e).size());
  text += style_(colour::dim,
                 fmt::format("  {} {:>8} {:>8} {:>11}\n", padded("criterion", width), "value", "full at", "points"));
  for (const evaluated_criterion* e : shown) text += criterion_lines(*e, width);
  text += time_line(*result.benchmark);
  if (!result.favour.empty()) text += block("  ", result.favour);
  if (result.timing)
    for (const std::string& remark : remarks_on(*result.timing)) text += block("  ", remark);
  if (!result.benchmark->uncounted.empty())
    text += block("  ", "The GPU counted nothing: " + result.benchmark->uncounted);
  return text + counter_lines(result.benchmark->measured);
}

}  // namespace simtlab
