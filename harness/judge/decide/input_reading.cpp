#include "judge/decide/input_reading.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <set>

#include "judge/decide/comparison.h"
#include "judge/decide/product_check.h"

namespace simtlab {
namespace {

constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();  // read from outside the array: anything
constexpr std::size_t nothing = nowhere - 1;                              // taken as zero, or not at all

constexpr std::size_t widest_tile = 64;

/// Element i of the input, as the kernel seems to take it, is element `from(i)` of what was given.
struct reading {
  std::function<std::size_t(std::size_t)> from;
  explanation what;
};

/// As it lies in memory: line after line, which are its rows, or its columns where it is stored by columns. `place` counts
/// along a line.
struct matrix {
  std::string name;
  std::size_t lines, length;
  bool by_columns = false;
  const sizes& named;
  bool blocks_split_lines = false;   ///< each block needs some of the lines alone, those of its part of the output
  bool blocks_split_places = false;  ///< the same of places
  [[nodiscard]] std::size_t count() const { return lines * length; }
  [[nodiscard]] std::string line() const { return by_columns ? "column" : "row"; }
  [[nodiscard]] std::string place() const { return by_columns ? "row" : "column"; }
};

std::string counted(const matrix& m, std::size_t n) { return std::to_string(n) + name_of_size(m.named, n); }

explanation transposed(const matrix& m) {
  const std::string index = fmt::format("{}[{} * {} + {}]{}", m.name, m.line(), length_name(m.named, m.length),
                                        m.place(), length_value(m.named, m.length));
  return {
      "transposed " + m.name,
      m.by_columns
          ? fmt::format("This is what comes out if {0} is read row after row. {0} is stored column after column: the "
                        "index should be {1}.",
                        m.name, index)
          : fmt::format("This is what comes out with {} transposed: row and column are swapped in its index, which "
                        "should be {}.",
                        m.name, index),
      certainty::certain};
}

void add_wrong_indices(const matrix& m, std::vector<reading>& to) {
  to.push_back({[m](std::size_t i) { return i % m.length * m.lines + i / m.length; }, transposed(m)});
  for (const named_size& s : m.named) {
    const auto other = static_cast<std::size_t>(std::max(s.value, 0));
    if (other == 0 || other == m.length) continue;
    to.push_back(
        {[m, other](std::size_t i) {
           const std::size_t at = i / m.length * other + i % m.length;
           return at < m.count() ? at : nowhere;
         },
         {"row length of " + m.name,
          fmt::format(
              "This is what comes out if the {0}s of {1} are taken to be {2} elements long. A {0} of {1} has {3} "
              "elements: the index should be {1}[{0} * {4} + {5}].",
              m.line(), m.name, counted(m, other), counted(m, m.length), length_name(m.named, m.length), m.place()),
          certainty::certain}});
  }
}

// All blocks, or all phases, take those that the first one takes.
explanation always_the_first(const matrix& m, std::size_t width, const std::string& lines, bool of_blocks) {
  if (of_blocks)
    return {"block of " + m.name,
            fmt::format("This is what comes out if each block takes the first {} {}s of {}: its index needs blockIdx.",
                        width, lines, m.name)};
  return {
      "phase of " + m.name,
      fmt::format("This is what comes out if each phase takes the first {} {}s of {} again: its index must have the "
                  "phase in it.",
                  width, lines, m.name)};
}

void add_tile_mistakes(const matrix& m, std::size_t width, std::vector<reading>& to) {
  to.push_back(
      {[m, width](std::size_t i) {
         const std::size_t line = i / m.length, place = i % m.length;
         const std::size_t from_line = line / width * width + place % width;
         const std::size_t from_place = place / width * width + line % width;
         return from_line < m.lines && from_place < m.length ? from_line * m.length + from_place : nothing;
       },
       {fmt::format("tile {} of {} transposed", width, m.name),
        fmt::format("This is what comes out with every {0} x {0} tile of {1} transposed: [x][y] where [y][x] is "
                    "meant, in storing the tile or in reading it.",
                    width, m.name)}});
  to.push_back({[m, width](std::size_t i) { return i / m.length * m.length + i % m.length % width; },
                always_the_first(m, width, m.place(), m.blocks_split_places)});
  to.push_back({[m, width](std::size_t i) { return i / m.length % width * m.length + i % m.length; },
                always_the_first(m, width, m.line(), m.blocks_split_lines)});
}

// Only [begin, end) of the lines takes part, or of the places in each line.
void add_part(const matrix& m, bool of_places, std::size_t begin, std::size_t end, const std::string& cause,
              const std::string& why, std::vector<reading>& to) {
  const std::size_t length = of_places ? m.length : m.lines;
  if (begin >= end || end > length || end - begin == length) return;
  const std::string what = m.lines == 1 ? "element" : of_places ? m.place() : m.line();
  const std::string which = begin == 0 ? fmt::format("the first {}", end) : fmt::format("the last {}", end - begin);
  to.push_back({[m, of_places, begin, end](std::size_t i) {
                  const std::size_t at = of_places ? i % m.length : i / m.length;
                  return at >= begin && at < end ? i : nothing;
                },
                {fmt::format("{} of {}", cause, m.name),
                 fmt::format("This is what comes out if only {} of the {} {}s of {} count{}", which, counted(m, length),
                             what, m.name, why)}});
}

void add_parts(const matrix& m, bool of_places, const std::set<std::size_t>& widths, std::vector<reading>& to) {
  const std::size_t length = of_places ? m.length : m.lines;
  const std::string size = name_of_size(m.named, length);
  const std::string what = size.empty() ? std::to_string(length) : size.substr(2, size.size() - 3);
  for (const std::size_t width : widths) {
    if (width > 1 && width < length && length % width != 0)
      add_part(m, of_places, 0, length / width * width, fmt::format("rounded down to {}", width),
               fmt::format(": {} is no multiple of {}, and {} / {} rounds down, so the last {} left out. Round up: "
                           "({} + {} - 1) / {}.",
                           what, width, what, width,
                           length % width == 1 ? std::string("one is") : fmt::format("{} are", length % width), what,
                           width, width),
               to);
    if (width < length)
      add_part(
          m, of_places, 0, width, "the first alone",
          ": there is no loop or block that takes the others. Loop with the step gridDim.x * blockDim.x, or launch "
          "more blocks.",
          to);
    if (width > 1 && width < length)
      add_part(m, of_places, (length - 1) / width * width, length, "the last alone",
               ": what was summed before is lost. The sum starts anew in each round of a loop, or it is assigned (=) "
               "where it should be added to (+=).",
               to);
  }
  add_part(m, of_places, 0, length - 1, "all but the last", ": the last one is left out.", to);
  add_part(m, of_places, 1, length, "all but the first", ": the first one is left out.", to);
  add_part(m, of_places, length - 1, length, "overwritten",
           ": each step overwrites the sum of those before (=); it should add to it (+=).", to);
}

// What is known of groups of a warp's size and of the warps in a block.
std::string share_text(const matrix& m, std::size_t group, std::size_t kept) {
  const std::string begin = fmt::format("This is what comes out if of every {} elements of {} only the first {}.",
                                        group, m.name, kept == 1 ? "counts" : fmt::format("{} count", kept));
  if (group == 32 && kept == 16)
    return begin + " In the sum of a warp the step with distance 16 is missing: the distances are 16, 8, 4, 2, 1.";
  if (group > 32 && kept == 32)
    return begin +
           fmt::format(
               " They are the block's first warp: the sums of its other {} warps are never added to the block's.",
               group / 32 - 1);
  if (kept == 1) return begin + " The others are never added.";
  return begin + fmt::format(" The other {} are never added.", group - kept);
}

// Of each group only some take part: the first lane, half of the steps, one warp of a block.
void add_shares(const matrix& m, const std::set<std::size_t>& widths, std::vector<reading>& to) {
  for (const std::size_t group : widths) {
    for (const std::size_t kept : std::set<std::size_t>{1, group / 4, group / 2, group - 1, 16, 32}) {
      if (kept == 0 || kept >= group || group > m.count()) continue;
      to.push_back({[group, kept](std::size_t i) { return i % group < kept ? i : nothing; },
                    {fmt::format("{} of {}", kept, group), share_text(m, group, kept)}});
    }
  }
}

std::vector<reading> readings_of(const matrix& m, const std::set<std::size_t>& widths) {
  std::vector<reading> all;
  if (m.lines > 1) {
    if (m.length > 1) add_wrong_indices(m, all);
    for (const std::size_t width : widths)
      if (width > 1 && width <= widest_tile) add_tile_mistakes(m, width, all);
    add_parts(m, false, widths, all);
  } else {
    add_shares(m, widths, all);
  }
  add_parts(m, true, widths, all);
  return all;
}

// Widths that a kernel may have worked by: those of its blocks, all its threads, a warp.
std::set<std::size_t> widths_of(const std::vector<launch_counters>& launches) {
  std::set<std::size_t> widths{32};
  for (const launch_counters& l : launches) {
    const std::size_t threads = l.block[0] * l.block[1] * l.block[2];
    widths.insert({l.block[0], l.block[1], threads, threads * l.grid[0]});
  }
  widths.erase(0);
  return widths;
}

matrix as_stored(const lab& in, const std::string& name, const shape& extents, const sizes& named) {
  const bool by_columns = is_stored_by_columns(in, name);
  const std::size_t rows = extents.size() == 2 ? extents[0] : 1, cols = extents.back();
  const bool is_left = in.proof && in.proof->left == name, is_right = in.proof && in.proof->right == name;
  return {.name = name,
          .lines = by_columns ? cols : rows,
          .length = by_columns ? rows : cols,
          .by_columns = by_columns,
          .named = named,
          .blocks_split_lines = is_left || (is_right && by_columns),
          .blocks_split_places = is_right && !by_columns};
}

bool is_float(scalar_type t) { return t == scalar_type::f32 || t == scalar_type::f64; }

// The input as it seems to be taken; nothing where a value from outside cannot be told apart.
std::optional<std::vector<std::byte>> as_taken(const reading& r, const argument_value& given,
                                               const argument_description& of) {
  const std::size_t size = of.element_bytes, count = given.bytes.size() / size;
  std::vector<std::byte> taken(given.bytes.size());
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t from = r.from(i);
    if (from == nothing) continue;
    if (from != nowhere)
      std::memcpy(taken.data() + i * size, given.bytes.data() + from * size, size);
    else if (is_float(of.scalar))
      std::memset(taken.data() + i * size, 0xff, size);  // NaN: spoils all that depends on it
    else
      return std::nullopt;
  }
  return taken;
}

// One element or two: no chance meeting of so many digits is likely, and there is nothing else to look at.
bool explains_few(const output_values& of, const std::vector<double>& foretold) {
  if (of.integers || of.found.size() > 2) return false;
  for (std::size_t i = 0; i < of.found.size(); ++i)
    if (of.unwritten[i] || std::isnan(foretold[i]) || is_close(foretold[i], of.expected[i], 1, false) ||
        !is_close(of.found[i], foretold[i], std::fabs(foretold[i]), false))
      return false;
  return true;
}

// Each block stores where it should, but takes an operand's columns, or rows, by the block's other number.
std::vector<explanation> other_number(const product_claim& claim, const output_values& of,
                                      const std::set<std::size_t>& widths) {
  std::vector<explanation> all;
  if (of.extents.size() != 2) return all;
  const std::size_t rows = of.extents[0], cols = of.extents[1];
  for (const std::size_t width : widths) {
    if (width <= 1 || width > widest_tile) continue;
    for (const bool of_columns : {true, false}) {
      std::vector<double> foretold(of.expected.size());  // 0: what lies outside is taken as zero
      for (std::size_t i = 0; i < foretold.size(); ++i) {
        const std::size_t row = i / cols, col = i % cols;
        const std::size_t from_row = of_columns ? row : col / width * width + row % width;
        const std::size_t from_col = of_columns ? row / width * width + col % width : col;
        if (from_row < rows && from_col < cols) foretold[i] = of.expected[from_row * cols + from_col];
      }
      if (!explains(of, foretold)) continue;
      const std::string& name = of_columns ? claim.right : claim.left;
      all.push_back(
          {"block of " + name,
           fmt::format("This is what comes out if each block takes its {} of {} by the block's other number, as "
                       "with blockIdx.{} for blockIdx.{}.",
                       of_columns ? "columns" : "rows", name, of_columns ? 'y' : 'x', of_columns ? 'x' : 'y')});
    }
  }
  return all;
}

}  // namespace

std::vector<explanation> misread_input(const lab& in, const test_case& c, const std::vector<argument_value>& inputs,
                                       std::size_t wrong, const output_values& output,
                                       const std::vector<launch_counters>& launches) {
  std::vector<explanation> all;
  if (in.model(c).operations > most_operations_tried || in.arguments[wrong].components != 1) return all;
  const std::set<std::size_t> widths = widths_of(launches);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const argument_description& of = in.arguments[i];
    const shape& extents = inputs[i].extents;
    if (of.role != argument_role::input || of.components != 1 || extents.empty() || extents.size() > 2) continue;
    const matrix m = as_stored(in, of.name, extents, c.all_sizes());
    if (m.count() < 2) continue;
    // What zeros alone make tells nothing about which elements count: a maximum has the zero of any one that does not.
    std::vector<argument_value> zeros = inputs;
    std::ranges::fill(zeros[i].bytes, std::byte{0});
    in.run_reference(zeros);
    if (const auto foretold = numbers_of(zeros[wrong].bytes, in.arguments[wrong].scalar);
        explains(output, foretold) || explains_few(output, foretold)) {
      const std::vector<double> given = numbers_of(inputs[i].bytes, of.scalar);
      if (std::ranges::all_of(output.found, [](double x) { return x == 0; }) &&
          std::ranges::all_of(given, [](double x) { return x < 0; }))
        all.push_back({"start value",
                       fmt::format("The result is 0, and every element of {} is smaller: that is where a maximum stays "
                                   "that starts from 0. Start from the smallest value that the type has, or from an "
                                   "element.",
                                   of.name)});
      continue;
    }
    for (const reading& r : readings_of(m, widths)) {
      std::vector<argument_value> changed = inputs;
      auto taken = as_taken(r, inputs[i], of);
      if (!taken || *taken == inputs[i].bytes) continue;
      changed[i].bytes = std::move(*taken);
      in.run_reference(changed);
      const std::vector<double> foretold = numbers_of(changed[wrong].bytes, in.arguments[wrong].scalar);
      if (explains(output, foretold) || explains_few(output, foretold)) all.push_back(r.what);
    }
  }
  if (in.proof && in.proof->product == in.arguments[wrong].name)
    for (explanation& e : other_number(*in.proof, output, widths)) all.push_back(std::move(e));
  return all;
}

}  // namespace simtlab
