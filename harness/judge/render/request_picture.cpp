#include "judge/render/request_picture.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <string_view>

#include "emulator/core/memory_geometry.h"
#include "judge/wording.h"

namespace simtlab {
namespace {

constexpr unsigned banks = emulator::bank_count;
constexpr std::uint64_t word_bytes = emulator::bank_bytes, sector_bytes = emulator::sector_bytes;
constexpr std::uint64_t widest_piece = 16, widest_of_pictures = 64;

using lanes_of_word = std::map<std::uint64_t, std::uint32_t>;

/// The bytes of a cell, of which 32 are a row: a word, or what a lane asks for where that is less.
std::uint64_t cell_bytes(std::uint64_t width) { return width >= word_bytes ? word_bytes : width == 2 ? 2 : 1; }

request_picture of_sectors(const example_place& p, const request_example& e) {
  const std::uint64_t bytes = cell_bytes(p.width), row_bytes = bytes * 32;
  request_picture made;
  made.cells_between_bars = static_cast<unsigned>(sector_bytes / bytes);
  std::map<std::uint64_t, picture_row> rows;
  std::set<std::uint64_t> sectors;
  for (unsigned lane = 0; lane < lanes_of_warp; ++lane) {
    if (!is_active(e, lane)) continue;
    for (std::uint64_t at = e.addresses[lane] / bytes; at <= (e.addresses[lane] + p.width - 1) / bytes; ++at) {
      rows[at * bytes / row_bytes].cells[at % 32].lanes |= 1U << lane;
      sectors.insert(at * bytes / sector_bytes);
    }
  }
  // Of memory that nobody named, an address says nothing, and differs from run to run.
  const std::uint64_t origin = p.bytes > 0 || rows.empty() ? p.begin : rows.begin()->first * row_bytes;
  for (auto& [number, row] : rows) {
    const std::uint64_t begin = number * row_bytes;
    const std::string name = p.variable.empty() ? "" : p.variable + " ";
    row.label =
        begin >= origin ? fmt::format("{}+ {}", name, begin - origin) : fmt::format("{}- {}", name, origin - begin);
    for (unsigned c = 0; c < 32; ++c) row.cells[c].is_moved = sectors.contains((begin + c * bytes) / sector_bytes);
    made.rows.push_back(std::move(row));
  }
  made.agrees = p.access == "atomic" || sectors.size() == e.cost.sectors;
  return made;
}

/// The passes of some lanes: of each bank the words that they ask for, one a pass; in turns, one lane a pass.
std::vector<picture_row> passes(const request_example& e, std::uint32_t lanes, std::uint64_t offset,
                                std::uint64_t words, bool in_turns) {
  std::array<std::vector<std::uint32_t>, banks> waiting;  // masks of lanes
  lanes_of_word asked;
  for (unsigned lane = 0; lane < lanes_of_warp; ++lane) {
    if ((lanes >> lane & 1) == 0 || !is_active(e, lane)) continue;
    for (std::uint64_t w = 0; w < words; ++w) {
      const std::uint64_t word = (e.addresses[lane] + offset) / word_bytes + w;
      if (in_turns)
        waiting.at(word % banks).push_back(1U << lane);
      else
        asked[word] |= 1U << lane;
    }
  }
  for (const auto& [word, mask] : asked) waiting.at(word % banks).push_back(mask);
  std::vector<picture_row> rows;
  for (std::size_t bank = 0; bank < banks; ++bank) {
    if (rows.size() < waiting.at(bank).size()) rows.resize(waiting.at(bank).size());
    for (std::size_t i = 0; i < waiting.at(bank).size(); ++i) rows[i].cells.at(bank).lanes = waiting.at(bank)[i];
  }
  return rows;
}

/// Stores go by groups of lanes that fill the banks once. `paired`: two groups that need one pass together make one, as a load may.
std::vector<picture_row> all_passes(const example_place& p, const request_example& e, bool paired) {
  const std::uint64_t width = std::max<std::uint64_t>(p.width, 1);
  const std::uint64_t piece = width <= word_bytes ? width : std::clamp(width & (~width + 1), word_bytes, widest_piece);
  const std::uint64_t words = std::max<std::uint64_t>(piece / word_bytes, 1);
  const auto group = static_cast<unsigned>(lanes_of_warp / words);
  const auto lanes_from = [](unsigned begin, unsigned count) {
    return static_cast<std::uint32_t>(((std::uint64_t{1} << count) - 1) << begin);
  };
  std::vector<picture_row> rows;
  const auto append = [&rows](std::vector<picture_row> more) {
    rows.insert(rows.end(), more.begin(), more.end());
    return more.size();
  };
  for (std::uint64_t offset = 0; offset < width; offset += piece)
    for (unsigned begin = 0; begin < lanes_of_warp; begin += group) {
      if (paired && begin % (2 * group) == 0 && 2 * group <= lanes_of_warp) {
        std::vector<picture_row> both = passes(e, lanes_from(begin, 2 * group), offset, words, false);
        if (both.size() == 1) {
          append(std::move(both));
          begin += group;
          continue;
        }
      }
      append(passes(e, lanes_from(begin, group), offset, words, p.access == "atomic"));
    }
  return rows;
}

request_picture of_banks(const example_place& p, const request_example& e) {
  request_picture made;
  made.is_banks = true;
  made.rows = all_passes(p, e, false);
  if (made.rows.size() != e.cost.wavefronts && p.access == "read") {
    std::vector<picture_row> paired = all_passes(p, e, true);
    if (paired.size() == e.cost.wavefronts) made.rows = std::move(paired);
  }
  made.agrees = made.rows.size() == e.cost.wavefronts;
  for (std::size_t i = 0; i < made.rows.size(); ++i) made.rows[i].label = fmt::format("pass {}", i + 1);
  return made;
}

char symbol(const picture_cell& c) {
  if (c.lanes == 0) return c.is_moved ? '-' : '.';
  if (std::popcount(c.lanes) > 1) return '*';
  const int lane = std::countr_zero(c.lanes);
  return static_cast<char>(lane < 10 ? '0' + lane : 'a' + lane - 10);
}

std::string cost_words(const example_place& p, const request_example& e) {
  const emulator::request_counters& c = e.cost;
  const auto least = [](std::uint64_t n, std::uint64_t fewest) {
    return n > fewest ? fmt::format(", where {} would do", fewest) : "";
  };
  std::string text;
  if (p.space == "shared")
    text = counted_text(c.wavefronts, "wavefront") + least(c.wavefronts, c.ideal_wavefronts);
  else if (p.space == "constant")
    text = counted_text(c.distinct_words, "different word") + ", one after the other";
  else
    text = counted_text(c.sectors, "sector") + least(c.sectors, c.ideal_sectors);
  if (p.access == "atomic" && c.same_address_lanes > 1)
    text += fmt::format("; {} at one address, one after the other", counted_text(c.same_address_lanes, "lane"));
  return text;
}

}  // namespace

request_picture picture_of(const example_place& p, const request_example& e) {
  if (p.width == 0 || p.width > widest_of_pictures) return {};
  if (p.space == "shared") return of_banks(p, e);
  if (p.space == "global" || p.space == "texture") return of_sectors(p, e);
  return {};
}

std::string words_of_request(const example_place& p, const request_example& e) {
  const bool is_most = std::ranges::find(e.reasons, "most frequent") != e.reasons.end();
  const std::string of = p.has_more_patterns ? fmt::format("more than {} patterns", p.patterns)
                         : p.patterns == 1   ? "the only pattern"
                                             : fmt::format("{} patterns", p.patterns);
  std::string which =
      p.patterns == 1 && !p.has_more_patterns
          ? of
          : fmt::format(
                "{} of {}",
                is_most && e.reasons.size() == 1 ? "most frequent" : fmt::format("{}", fmt::join(e.reasons, ", ")), of);
  which.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(which.front())));
  if (e.times > 0) which += fmt::format(", {}", counted_text(e.times, "request"));
  const auto lanes = static_cast<std::uint64_t>(std::popcount(e.active));
  return fmt::format("{}. In block {}, warp {}: {} for {} each: {}.", which, coordinates_text(e.block), e.warp,
                     counted_text(lanes, "lane") + (lanes == 1 ? " asks" : " ask"), counted_text(p.width, "byte"),
                     cost_words(p, e));
}

std::string picture_text(const request_picture& picture, std::size_t most_rows) {
  std::size_t widest = 0;
  const std::size_t shown = std::min(picture.rows.size(), most_rows);
  for (std::size_t i = 0; i < shown; ++i) widest = std::max(widest, columns(picture.rows[i].label));
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) {
    text += padded(picture.rows[i].label, widest) + " ";
    for (std::size_t c = 0; c < picture.rows[i].cells.size(); ++c) {
      if (c % picture.cells_between_bars == 0) text += '|';
      text += symbol(picture.rows[i].cells.at(c));
    }
    text += "|\n";
  }
  if (picture.rows.size() > shown)
    text += fmt::format("{} and {} more\n", std::string(widest, ' '), counted_text(picture.rows.size() - shown, "row"));
  return text;
}

std::string cells_text(const picture_row& row) {
  constexpr std::string_view numbers = "ABCDEFGHIJKLMNOPQRSTUVWXYZwxyz*";  // from 2 on
  std::string text;
  for (const picture_cell& c : row.cells) {
    const auto lanes = static_cast<std::size_t>(std::popcount(c.lanes));
    text += lanes > 1 ? numbers.at(lanes - 2) : symbol(c);
  }
  return text;
}

std::string picture_legend() {
  return "pictures: 0-9 and a-v are lanes 0 to 31, * several lanes at one word, - bytes that come along with a sector "
         "and nobody "
         "asks for; a row of global memory is cut into sectors of 32 bytes, a row of shared memory is a pass through "
         "the 32 "
         "banks";
}

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '&')
      safe += "&amp;";
    else if (c == '<')
      safe += "&lt;";
    else if (c == '>')
      safe += "&gt;";
    else if (c == '"')
      safe += "&quot;";
    else
      safe += c;
  }
  return safe;
}

std::string picture_svg(const request_picture& picture, const std::string& title, std::size_t most_rows) {
  const std::size_t shown = std::min(picture.rows.size(), most_rows);
  if (shown == 0) return "";
  constexpr std::size_t cell = 18, character = 8;
  std::size_t widest = 0;
  for (std::size_t i = 0; i < shown; ++i) widest = std::max(widest, columns(picture.rows[i].label));
  const std::size_t left = character * (widest + 1);
  const std::size_t width = left + 32 * cell + 1, height = (shown + 1) * cell + 1;
  std::string svg =
      fmt::format("<svg role=\"img\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\"><title>{2}</title>", width,
                  height, escaped(title));
  for (unsigned c = 0; c < 32; c += 4)
    svg += fmt::format("<text class=\"n\" x=\"{}\" y=\"13\">{}</text>", left + c * cell + 2, c);
  for (std::size_t i = 0; i < shown; ++i) {
    const picture_row& row = picture.rows[i];
    const std::size_t y = (i + 1) * cell;
    svg += fmt::format("<text x=\"0\" y=\"{}\">{}</text>", y + 13, escaped(row.label));
    for (std::size_t c = 0; c < 32; c += picture.cells_between_bars) {
      const bool moved = row.cells.at(c).is_moved;
      svg += fmt::format("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>", moved ? "m" : "f",
                         left + c * cell, y, picture.cells_between_bars * cell, cell);
    }
    for (std::size_t c = 0; c < 32; ++c) {
      const picture_cell& one = row.cells.at(c);
      if (one.lanes == 0) continue;
      const int lanes = std::popcount(one.lanes);
      svg += fmt::format(
          "<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/><text class=\"l\" x=\"{}\" "
          "y=\"{}\">{}</text>",
          lanes > 1 ? "s" : "a", left + c * cell + 1, y + 1, cell - 2, cell - 2, left + c * cell + cell / 2, y + 13,
          lanes > 1 ? fmt::format("×{}", lanes) : std::to_string(std::countr_zero(one.lanes)));
    }
  }
  return svg + "</svg>";
}

}  // namespace simtlab
