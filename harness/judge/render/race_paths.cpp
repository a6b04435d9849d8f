#include "judge/render/race_paths.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "judge/render/block_picture.h"
#include "judge/render/request_picture.h"
#include "judge/wording.h"

namespace simtlab {
namespace {

constexpr std::size_t most_path_steps = 10;  // the last ones before the access
constexpr std::size_t box_width = 260, box_height = 20, box_distance = 26, box_gap = 130, path_top = 46;
constexpr std::size_t most_box_characters = 36;

bool makes_access(const traced_place& p, const finding_place& side, const std::string& variable) {
  if (p.what != "request" || p.file != side.file || p.line != side.line || p.variable != variable) return false;
  return side.action.starts_with(p.access == "write" ? "writes" : p.access == "read" ? "reads" : "atomic");
}

std::string barrier_place(const traced_barrier& b, const source_text& source) {
  return place_in_source(b.file, b.line, source);
}

/// A thread in the trace of its block, from one common barrier on.
struct traced_thread {
  const block_trace& of;
  const traced_warp& warp;
  std::uint64_t lane = 0;
  bool is_inside_block = false;

  /// Whether all threads that race pass this barrier of the block.
  [[nodiscard]] bool is_common(std::uint64_t barrier) const {
    return is_inside_block || (barrier < of.barriers.size() && of.barriers[barrier].of_grid);
  }
  /// Common barriers that lie before the epoch.
  [[nodiscard]] std::uint64_t common_before(std::uint64_t epoch) const {
    if (is_inside_block) return epoch;
    const std::uint64_t known = std::min<std::uint64_t>(epoch, of.barriers.size());
    return static_cast<std::uint64_t>(std::count_if(of.barriers.begin(),
                                                    of.barriers.begin() + static_cast<std::ptrdiff_t>(known),
                                                    [](const traced_barrier& b) { return b.of_grid; }));
  }
};

std::optional<traced_thread> thread_in(const block_trace& t, const coordinates& at, const coordinates& block,
                                       bool is_inside_block) {
  const std::uint64_t thread = at[0] + block[0] * (at[1] + block[1] * at[2]);
  if (thread / lanes_of_warp >= t.warps.size()) return std::nullopt;
  return traced_thread{t, t.warps[thread / lanes_of_warp], thread % lanes_of_warp, is_inside_block};
}

/// Up to the thread's first access of the stretch behind so many common barriers; nothing where it makes none there.
std::optional<thread_path> path_in(std::uint64_t stretch, const traced_thread& in, const finding_place& side,
                                   const std::string& variable, const source_text& source) {
  thread_path path{*side.thread, *side.block, {}};
  std::uint64_t passed = 0;  // barriers of the block
  for (const traced_event& e : in.warp.events) {
    const std::uint64_t common = in.common_before(e.epoch);
    if (common > stretch) break;
    if (common < stretch) {
      passed = e.epoch;
      continue;
    }
    for (; passed < e.epoch; ++passed)
      if (!in.is_common(passed) && passed < in.of.barriers.size())
        path.steps.push_back(barrier_place(in.of.barriers[passed], source) + " is a barrier of the block");
    if ((e.active >> in.lane & 1) == 0) continue;
    const traced_place& place = in.of.places.at(e.place);
    path.steps.push_back(step_words(place, source));
    if (makes_access(place, side, variable)) return path;
  }
  return std::nullopt;
}

/// Where the stretch behind so many common barriers begins.
std::string begin_of(std::uint64_t stretch, const traced_thread& in, const source_text& source) {
  if (stretch == 0) return "the kernel begins";
  std::uint64_t common = 0;
  for (std::uint64_t i = 0; i < in.of.barriers.size(); ++i)
    if (in.is_common(i) && ++common == stretch)
      return (in.is_inside_block ? "barrier, " : "barrier of the grid, ") + barrier_place(in.of.barriers[i], source);
  return "barrier, no line";
}

bool is_inside_block(const finding& f) { return f.first.block == f.second->block; }

/// Threads of one block need no word of it.
std::string thread_text(const thread_path& p, bool with_block) {
  std::string text = "thread " + coordinates_text(p.thread);
  return with_block ? text + " of block " + coordinates_text(p.block) : text;
}

std::string cut_to_box(const std::string& text) { return escaped(shortened(text, most_box_characters)); }

/// The last steps, oldest first; in front how many there are before.
std::vector<std::string> shown_steps(const thread_path& path) {
  const std::size_t left_out = path.steps.size() > most_path_steps ? path.steps.size() - most_path_steps : 0;
  std::vector<std::string> words;
  if (left_out > 0) words.push_back(fmt::format("{} steps before", left_out));
  words.insert(words.end(), path.steps.begin() + static_cast<std::ptrdiff_t>(left_out), path.steps.end());
  return words;
}

std::string column_of(const std::string& head, const std::vector<std::string>& words, std::size_t x) {
  std::string svg = fmt::format("<text x=\"{}\" y=\"14\">{}</text>", x, head);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::size_t y = path_top + i * box_distance;
    svg += fmt::format(
        "<path class=\"f\" d=\"M{} {}v-6\"/><rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/><text "
        "x=\"{}\" y=\"{}\">{}</text>",
        x + box_width / 2, y, i + 1 == words.size() ? "rx" : "f", x, y, box_width, box_height, x + 6, y + 14,
        cut_to_box(words[i]));
  }
  return svg;
}

auto unordered_places(const finding& f) {
  auto first = std::pair(f.first.file, f.first.line), second = std::pair(f.second->file, f.second->line);
  if (second < first) std::swap(first, second);
  return std::pair(first, second);
}

}  // namespace

bool is_race(const finding& f) { return f.rule.ends_with("-race") && f.second; }

bool names_both_threads(const finding& f) {
  return is_race(f) && f.first.thread && f.second->thread && f.first.block && f.second->block &&
         (f.first.block != f.second->block || f.first.thread != f.second->thread);
}

bool is_same_race(const finding& a, const finding& b) {
  return is_race(a) && is_race(b) && a.rule == b.rule && a.kernel == b.kernel && a.variable == b.variable &&
         unordered_places(a) == unordered_places(b);
}

std::optional<race_paths> paths_of(const traced_race& race, const source_text& source) {
  const finding& f = race.of;
  if (!names_both_threads(f) || *f.first.block != race.first.block || *f.second->block != race.second.block)
    return std::nullopt;
  const auto first = thread_in(race.first, *f.first.thread, race.block, is_inside_block(f)),
             second = thread_in(race.second, *f.second->thread, race.block, is_inside_block(f));
  if (!first || !second || first->warp.events.empty() || second->warp.events.empty()) return std::nullopt;
  const std::uint64_t last = std::min(first->common_before(first->warp.events.back().epoch),
                                      second->common_before(second->warp.events.back().epoch));
  for (std::uint64_t stretch = 0; stretch <= last; ++stretch) {
    auto one = path_in(stretch, *first, f.first, f.variable, source),
         two = path_in(stretch, *second, *f.second, f.variable, source);
    if (one && two) return race_paths{begin_of(stretch, *first, source), std::move(*one), std::move(*two)};
  }
  return std::nullopt;
}

std::string race_figure(const traced_race& race, const source_text& source) {
  const bool is_inside = is_inside_block(race.of);
  const auto paths = paths_of(race, source);
  if (!paths)
    return "<p>The paths of the two threads are not drawn: what was recorded of their blocks ends before both have "
           "made "
           "their accesses, or they come in a later launch of the kernel.</p>\n";
  const std::vector<std::string> first = shown_steps(paths->first), second = shown_steps(paths->second);
  const std::size_t right = box_width + box_gap, width = right + box_width + 2;
  const std::size_t height = path_top + std::max(first.size(), second.size()) * box_distance;
  const auto middle = [](std::size_t steps) { return path_top + (steps - 1) * box_distance + box_height / 2; };
  const std::size_t from = middle(first.size()), to = middle(second.size());
  const bool is_begin = paths->begin == "the kernel begins";
  const std::string since = is_begin ? "the kernel's begin" : "the " + paths->begin;
  const char* const title =
      is_begin ? "Both threads since the kernel's begin" : "Both threads since their last common barrier";
  std::string svg = fmt::format(
      "<svg role=\"img\" class=\"life race\" viewBox=\"-1 0 {0} {1}\" width=\"{0}\" height=\"{1}\"><title>{2}; the "
      "words "
      "below say the same</title>",
      width, height, title);
  svg += fmt::format("<path class=\"b\" d=\"M0 36H{}\"/><text x=\"0\" y=\"30\">{}</text>", right + box_width,
                     escaped(paths->begin));
  const bool with_blocks = !is_inside;
  svg += column_of(thread_text(paths->first, with_blocks), first, 0) +
         column_of(thread_text(paths->second, with_blocks), second, right);
  svg += fmt::format("<path class=\"re\" d=\"M{} {}L{} {}\"/><text class=\"rt\" x=\"{}\" y=\"{}\">{}</text></svg>",
                     box_width + 2, from, right - 2, to, box_width + box_gap / 2, std::min(from, to) - 8,
                     is_inside ? "no barrier" : "no order");
  const auto said = [&](const thread_path& path, const std::vector<std::string>& words) {
    return fmt::format("<li>{}: {}</li>\n", thread_text(path, with_blocks),
                       escaped(fmt::format("{}", fmt::join(words, "; "))));
  };
  const std::string missing =
      is_inside ? fmt::format("Since {} no barrier orders the last steps of the two:", since)
                : fmt::format(
                      "Since {} nothing orders the last steps of the two: a barrier of a block holds in its own block "
                      "alone. What could order them is a kernel boundary between them, or atomic operations.",
                      since);
  return fmt::format(
      "<details class=\"drawn\"><summary>{}</summary>\n<div class=\"wide\" tabindex=\"0\" role=\"region\" "
      "aria-label=\"{}: both threads' steps\">{}</div>\n<p>{}</p>\n<ul>\n{}{}</ul></details>\n",
      title, escaped(race.of.rule), svg, escaped(missing), said(paths->first, first), said(paths->second, second));
}

}  // namespace simtlab
