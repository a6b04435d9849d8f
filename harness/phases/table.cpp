#include "phases/table.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

namespace simtlab::phases {
namespace {

using emulator::access;
using emulator::launch_report;
using emulator::memory_space;
using emulator::recorded_access;

constexpr std::uint64_t most_threads = 16;  // of a block
constexpr std::uint64_t word = sizeof(float);

struct column {
  std::string head, variable;
  memory_space space{};
  bool of_stores = false;
};

/// The row of a thread.
struct place {
  std::uint64_t block = 0, phase = 0, thread = 0;
  friend auto operator<=>(const place&, const place&) = default;
};

bool is_store(const recorded_access& a) { return a.kind != access::read; }

bool belongs(const recorded_access& a, const column& c) {
  return a.space == c.space && a.variable == c.variable && is_store(a) == c.of_stores;
}

/// Loads of matrices, stores to shared arrays in the order in which they come, stores to matrices.
std::vector<column> columns_of(const toy& of, const launch_report& launch) {
  std::vector<column> all;
  const auto add = [&](const column& c) {
    const bool made = std::ranges::any_of(launch.recorded, [&](const auto& a) { return belongs(a, c); });
    const bool known =
        std::ranges::any_of(all, [&](const column& k) { return k.space == c.space && k.head == c.head; });
    if (made && !known) all.push_back(c);
  };
  for (const matrix& m : of.matrices) add({"load " + m.name, m.name, memory_space::global, false});
  for (const recorded_access& a : launch.recorded)
    if (a.space == memory_space::shared && a.variable_bytes > 0)
      add({"store " + a.variable, a.variable, memory_space::shared, true});
  for (const matrix& m : of.matrices) add({"store " + m.name, m.name, memory_space::global, true});
  return all;
}

std::string in_brackets(std::uint64_t index) { return "[" + std::to_string(index) + "]"; }

/// `[1][0] (4)`: row, column and linear index of a matrix' element.
std::string element(std::uint64_t index, int columns) {
  const auto width = static_cast<std::uint64_t>(columns);
  return in_brackets(index / width) + in_brackets(index % width) + " (" + std::to_string(index) + ")";
}

/// `[1][0]` in an array that is as large as a tile, `[2]` in any other.
std::string shared_word(const recorded_access& a, std::uint64_t index) {
  constexpr std::uint64_t width = phases::tile_width;
  if (a.variable_bytes == width * width * word) return in_brackets(index / width) + in_brackets(index % width);
  return in_brackets(index);
}

std::string words_of(const toy& of, const recorded_access& a) {
  std::string text;
  for (std::uint64_t at = a.offset; at < a.offset + a.width; at += word) {
    if (!text.empty()) text += " ";
    if (a.space == memory_space::shared) {
      text += shared_word(a, at / word);
    } else {
      const auto m = std::ranges::find(of.matrices, a.variable, &matrix::name);
      text += element(at / word, m->columns);
    }
  }
  return text + (a.stores_zero ? " = 0" : "");
}

/// The phase of each block's epoch: one begins with each epoch that stores to shared memory, the first with the launch.
std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> phases_of(const launch_report& launch) {
  std::map<std::pair<std::uint64_t, std::uint64_t>, bool> stores;  // of block and epoch
  for (const recorded_access& a : launch.recorded)
    stores[{a.block, a.epoch}] |= a.space == memory_space::shared && is_store(a);
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> phase;
  std::optional<std::uint64_t> block;
  std::uint64_t begun = 0;  // of the block
  for (const auto& [at, begins] : stores) {
    if (block != at.first) begun = 0;
    block = at.first;
    if (begins || begun == 0) ++begun;
    phase[at] = begun - 1;
  }
  return phase;
}

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(width - std::min(width, text.size()), ' ');
}

std::string without_spaces_behind(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

void refuse_large(const launch_report& launch) {
  if (launch.block.count() <= most_threads) return;
  throw not_a_toy("the kernel " + launch.kernel + " was launched with blocks of " + std::to_string(launch.block.x) +
                  " x " + std::to_string(launch.block.y) + " threads, although tile_width was " +
                  std::to_string(tile_width) +
                  ". Write tile_width where the launch and the kernel mean the width of the tile, not a number");
}

}  // namespace

std::string table_of(const toy& of, const launch_report& launch) {
  refuse_large(launch);
  const std::vector<column> columns = columns_of(of, launch);
  const auto phase = phases_of(launch);
  std::map<place, std::vector<std::string>> rows;
  std::map<std::uint64_t, std::uint64_t> last;  // phase of each block
  for (const auto& [at, number] : phase) last[at.first] = std::max(last[at.first], number);
  for (std::uint64_t block = 0; block < launch.grid.count(); ++block)
    for (std::uint64_t p = 0; p <= last[block]; ++p)
      for (std::uint64_t thread = 0; thread < launch.block.count(); ++thread)
        rows[{block, p, thread}].resize(columns.size());
  for (const recorded_access& a : launch.recorded) {
    const auto found = std::ranges::find_if(columns, [&](const column& c) { return belongs(a, c); });
    if (found == columns.end()) continue;
    std::string& cell =
        rows[{a.block, phase.at({a.block, a.epoch}), a.thread}].at(static_cast<std::size_t>(found - columns.begin()));
    cell += (cell.empty() ? "" : " ") + words_of(of, a);
  }
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    widths.push_back(columns[i].head.size());
    for (const auto& [at, cells] : rows) widths[i] = std::max(widths[i], cells[i].size());
  }

  std::string text;
  std::optional<std::uint64_t> block;
  for (const auto& [at, cells] : rows) {
    if (block != at.block) {
      block = at.block;
      const emulator::coordinates where = emulator::coordinates_of(at.block, launch.grid);
      text += "\nblockIdx.y " + std::to_string(where.y) + ", blockIdx.x " + std::to_string(where.x) + "\n";
      std::string head = "  phase  ty tx";
      for (std::size_t i = 0; i < columns.size(); ++i) head += "  " + padded(columns[i].head, widths[i]);
      text += without_spaces_behind(head);
    }
    const emulator::coordinates thread = emulator::coordinates_of(at.thread, launch.block);
    std::string line = "  " + padded(at.thread == 0 ? std::to_string(at.phase) : "", 5) + "  " +
                       padded(std::to_string(thread.y), 2) + " " + padded(std::to_string(thread.x), 2);
    for (std::size_t i = 0; i < cells.size(); ++i) line += "  " + padded(cells[i].empty() ? "-" : cells[i], widths[i]);
    text += without_spaces_behind(line);
  }
  return text;
}

}  // namespace simtlab::phases
