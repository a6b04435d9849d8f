#include "judge/render/race_paths.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "judge/render/block_picture.h"
#include "judge/render/request_picture.h"

namespace simtlab {
namespace {

constexpr std::size_t most_path_steps = 10;  // the last ones before the access
constexpr std::size_t box_width = 250, box_height = 20, box_distance = 26, box_gap = 130, path_top = 46;
constexpr std::size_t most_box_characters = 35;

bool makes_access(const traced_place& p, const finding_place& side, const std::string& variable) {
  if (p.what != "request" || p.file != side.file || p.line != side.line || p.variable != variable) return false;
  return side.action.starts_with(p.access == "write" ? "writes" : p.access == "read" ? "reads" : "atomic");
}

/// Up to the thread's first access of the epoch; nothing where it makes none there.
std::optional<thread_path> path_in(std::uint64_t epoch, const finding_place& side, const finding& f,
                                   const coordinates& block, const block_trace& t) {
  const coordinates& at = *side.thread;
  const std::uint64_t thread = at[0] + block[0] * (at[1] + block[1] * at[2]);
  if (thread / lanes_of_warp >= t.warps.size()) return std::nullopt;
  thread_path path{at, {}};
  for (const traced_event& e : t.warps[thread / lanes_of_warp].events) {
    if (e.epoch != epoch || (e.active >> thread % lanes_of_warp & 1) == 0) continue;
    path.steps.push_back(e.place);
    if (makes_access(t.places.at(e.place), side, f.variable)) return path;
  }
  return std::nullopt;
}

std::string thread_text(const coordinates& c) { return fmt::format("thread ({},{},{})", c[0], c[1], c[2]); }

std::string begin_text(const race_paths& of, const block_trace& t, const source_text& source) {
  if (of.epoch == 0) return "the kernel begins";
  const std::size_t last = of.epoch - 1;
  return "barrier, " + (last < t.barriers.size() ? place_in_source(t.barriers[last].file, t.barriers[last].line, source)
                                                 : std::string("no line"));
}

std::string cut_to_box(std::string text) {
  if (text.size() > most_box_characters) text = text.substr(0, most_box_characters - 3) + "...";
  return escaped(text);
}

/// The words of the steps that are shown, oldest first; in front how many there are before.
std::vector<std::string> shown_steps(const thread_path& path, const block_trace& t, const source_text& source) {
  const std::size_t left_out = path.steps.size() > most_path_steps ? path.steps.size() - most_path_steps : 0;
  std::vector<std::string> words;
  if (left_out > 0) words.push_back(fmt::format("{} steps before", left_out));
  for (std::size_t i = left_out; i < path.steps.size(); ++i)
    words.push_back(step_words(t.places.at(path.steps[i]), source));
  return words;
}

std::string column_of(const thread_path& path, const std::vector<std::string>& words, std::size_t x) {
  std::string svg = fmt::format("<text x=\"{}\" y=\"14\">{}</text>", x, thread_text(path.thread));
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

}  // namespace

bool is_race_inside_block(const finding& f) {
  return f.rule.ends_with("-race") && f.second && f.first.thread && f.second->thread && f.first.block &&
         f.first.block == f.second->block && f.first.thread != f.second->thread;
}

std::optional<race_paths> paths_of(const finding& f, const launch_counters& launch, const block_trace& t) {
  if (!is_race_inside_block(f) || f.kernel != launch.kernel || *f.first.block != t.block) return std::nullopt;
  std::uint64_t last = 0;
  for (const traced_warp& w : t.warps)
    if (!w.events.empty()) last = std::max(last, w.events.back().epoch);
  for (std::uint64_t epoch = 0; epoch <= std::min<std::uint64_t>(last, t.barriers.size()); ++epoch) {
    auto first = path_in(epoch, f.first, f, launch.block, t), second = path_in(epoch, *f.second, f, launch.block, t);
    if (first && second) return race_paths{epoch, std::move(*first), std::move(*second)};
  }
  return std::nullopt;
}

std::string race_figure(const finding& f, const launch_counters& launch, const block_trace& t,
                        const source_text& source) {
  const auto paths = paths_of(f, launch, t);
  if (!paths) return "";
  const std::vector<std::string> first = shown_steps(paths->first, t, source),
                                 second = shown_steps(paths->second, t, source);
  const std::string begin = begin_text(*paths, t, source);
  const std::size_t right = box_width + box_gap, width = right + box_width + 2;
  const std::size_t height = path_top + std::max(first.size(), second.size()) * box_distance;
  const auto middle = [](std::size_t steps) { return path_top + (steps - 1) * box_distance + box_height / 2; };
  const std::size_t from = middle(first.size()), to = middle(second.size());
  std::string svg = fmt::format(
      "<svg role=\"img\" class=\"life race\" viewBox=\"-1 0 {0} {1}\" width=\"{0}\" height=\"{1}\"><title>Both threads "
      "since "
      "their last common barrier; the words below say the same</title>",
      width, height);
  svg += fmt::format("<path class=\"b\" d=\"M0 36H{}\"/><text x=\"0\" y=\"30\">{}</text>", right + box_width,
                     escaped(begin));
  svg += column_of(paths->first, first, 0) + column_of(paths->second, second, right);
  svg +=
      fmt::format("<path class=\"re\" d=\"M{} {}L{} {}\"/><text class=\"rt\" x=\"{}\" y=\"{}\">no barrier</text></svg>",
                  box_width + 2, from, right - 2, to, box_width + box_gap / 2, std::min(from, to) - 8);
  const auto said = [&](const thread_path& path, const std::vector<std::string>& words) {
    return fmt::format("<li>{}: {}</li>\n", thread_text(path.thread),
                       escaped(fmt::format("{}", fmt::join(words, "; "))));
  };
  return fmt::format(
      "<details class=\"drawn\"><summary>Both threads since their last common barrier</summary>\n<div class=\"wide\" "
      "tabindex=\"0\" role=\"region\" aria-label=\"{}: both threads' steps\">{}</div>\n<p>Since {} no barrier orders "
      "the last "
      "steps of the two:</p>\n<ul>\n{}{}</ul></details>\n",
      escaped(f.rule), svg, escaped(paths->epoch == 0 ? "the kernel's begin" : "the " + begin),
      said(paths->first, first), said(paths->second, second));
}

}  // namespace simtlab
