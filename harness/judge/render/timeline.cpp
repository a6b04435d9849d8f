#include "judge/render/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace simtlab {
namespace {

constexpr std::size_t label_columns = 20;

// In the order in which the rows of one stream stand.
constexpr std::array<std::pair<const char*, const char*>, 4> rows{
    {{"to_device", ">"}, {"prefetch", "p"}, {"kernel", "#"}, {"to_host", "<"}}};

std::size_t row_of(const timed_operation& o) {
  const std::string kind = o.is_prefetch ? "prefetch" : o.kind;
  return static_cast<std::size_t>(std::ranges::find_if(rows, [&](const auto& row) { return kind == row.first; }) -
                                  rows.begin());
}

std::string label_of(std::uint64_t stream, std::size_t row) {
  constexpr std::array<const char*, 4> words{"copies in", "prefetches", "kernels", "copies out"};
  const std::string of = stream == 0 ? "default" : fmt::format("stream {}", stream);
  return fmt::format("{:<9}{:<10} ", of, words.at(row));
}

}  // namespace

std::string timeline_text(const std::vector<timed_operation>& all, const text_style& style, std::size_t width) {
  const auto crosses = [](const timed_operation& o) { return o.kind != "kernel"; };
  if (std::ranges::count_if(all, crosses) < 2) return "";
  double begin = all.front().begin, end = begin;
  for (const timed_operation& o : all) {
    begin = std::min(begin, o.begin);
    end = std::max(end, o.end);
  }
  if (end <= begin) return "";
  const std::size_t room = std::max<std::size_t>(width, 60) - label_columns;
  const auto column = [&](double t) { return (t - begin) / (end - begin) * static_cast<double>(room); };
  std::map<std::pair<std::uint64_t, std::size_t>, std::string> bars;
  for (const timed_operation& o : all) {
    const std::size_t row = row_of(o);
    std::string& bar = bars.try_emplace({o.stream, row}, room, '.').first->second;
    const auto first = std::min(static_cast<std::size_t>(column(o.begin)), room - 1);
    const auto last = std::clamp(static_cast<std::size_t>(std::lround(column(o.end))), first + 1, room);
    std::fill(bar.begin() + static_cast<std::ptrdiff_t>(first), bar.begin() + static_cast<std::ptrdiff_t>(last),
              rows.at(row).second[0]);
  }
  std::string text = "\n" + style(colour::bold, fmt::format("timeline, {:.0f} microseconds", (end - begin) / 1000)) +
                     style(colour::dim, " by the emulator's model (docs/unified-memory.md), of no clock\n");
  for (const auto& [of, bar] : bars) text += label_of(of.first, of.second) + bar + "\n";
  return text;
}

}  // namespace simtlab
