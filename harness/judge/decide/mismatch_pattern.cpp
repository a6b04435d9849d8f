#include "judge/decide/mismatch_pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <set>

namespace simtlab {
namespace {

// How many wrong elements a pattern must foretell. Whole numbers meet by chance far more often than fractions.
constexpr std::size_t fewest_foretold = 3, fewest_foretold_integers = 12, fewest_different_integers = 5;
constexpr std::size_t longest_shift = 4;
constexpr double most_times = 1024;
constexpr std::array pieces{4096, 2048, 1024, 512, 256, 128, 64, 32, 16, 8};

double scale_of(const std::vector<double>& values) {
  double scale = 0;
  for (const double v : values)
    if (std::isfinite(v)) scale = std::max(scale, std::fabs(v));
  return scale;
}

// What every recogniser asks of one output.
class examined_output {
 public:
  examined_output(const output_values& output, const sizes& case_sizes)
      : of(output),
        named(case_sizes),
        count(output.found.size()),
        rows(output.extents.size() == 2 ? output.extents[0] : 1),
        cols(output.extents.size() == 2 ? output.extents[1] : count),
        scale(scale_of(output.expected)) {}

  [[nodiscard]] bool close(double a, double b) const { return is_close(a, b, scale, of.integers); }
  [[nodiscard]] bool found_all(const std::function<bool(std::size_t)>& holds) const {
    for (std::size_t i = 0; i < count; ++i)
      if (of.unwritten[i] || !holds(i)) return false;
    return true;
  }
  [[nodiscard]] std::string element(const std::string& i) const { return of.argument + "[" + i + "]"; }

  const output_values& of;
  const sizes& named;
  std::size_t count, rows, cols;
  double scale;
};

using recogniser = std::optional<recognised_pattern> (*)(const examined_output&);

bool many(const examined_output& e) { return e.count >= (e.of.integers ? fewest_foretold_integers : fewest_foretold); }

std::optional<recognised_pattern> all_nan(const examined_output& e) {
  if (!many(e) || !e.found_all([&](std::size_t i) { return std::isnan(e.of.found[i]); })) return std::nullopt;
  return recognised_pattern{pattern::all_nan,
                            "Every element is nan, no number: something that nobody set took part in each of them."};
}

std::optional<recognised_pattern> all_zero(const examined_output& e) {
  if (!many(e) || e.scale == 0 || !e.found_all([&](std::size_t i) { return e.of.found[i] == 0; })) return std::nullopt;
  return recognised_pattern{
      pattern::all_zero,
      fmt::format(
          "Every element of {} is 0. Does the loop that adds up run at all (a number of phases or blocks that "
          "rounds down is 0 for small sizes)? Does each step add (+=), or overwrite (=) the one before? Is what "
          "was computed also what is stored?",
          e.of.argument)};
}

// FLT_MIN for the least of all floats. It is no value that anything else comes to.
std::optional<recognised_pattern> smallest_float(const examined_output& e) {
  constexpr double of_float = std::numeric_limits<float>::min(), of_double = std::numeric_limits<double>::min();
  if (e.of.integers) return std::nullopt;
  for (std::size_t i = 0; i < e.count; ++i)
    if (e.of.wrong[i] && (e.of.unwritten[i] || (e.of.found[i] != of_float && e.of.found[i] != of_double)))
      return std::nullopt;
  const bool is_double = std::ranges::find(e.of.found, of_double) != e.of.found.end() &&  //
                         std::ranges::find(e.of.found, of_float) == e.of.found.end();
  return recognised_pattern{
      pattern::smallest_float,
      fmt::format("{0} is {1}_MIN, {2:.4g}: that is the smallest {3} above zero, and every negative number is less. "
                  "Start a maximum from -{1}_MAX or -INFINITY.",
                  e.count == 1 ? e.element("0") : "What is wrong", is_double ? "DBL" : "FLT",
                  is_double ? of_double : of_float, is_double ? "double" : "float")};
}

std::optional<recognised_pattern> one_value(const examined_output& e) {
  if (!many(e) || !e.found_all([&](std::size_t i) { return e.close(e.of.found[i], e.of.found[0]); }) ||
      std::ranges::all_of(e.of.expected, [&](double v) { return e.close(v, e.of.expected[0]); }))
    return std::nullopt;
  return recognised_pattern{pattern::one_value,
                            "Every element is the same number: the thread's own index plays no part in it."};
}

std::optional<recognised_pattern> equal_lines(const examined_output& e, bool of_rows) {
  const std::size_t lines = of_rows ? e.rows : e.cols, length = of_rows ? e.cols : e.rows;
  if (e.of.extents.size() != 2 || lines < 2 || length < 2 || (lines - 1) * length < fewest_foretold_integers)
    return std::nullopt;
  const auto first = [&](std::size_t i) { return of_rows ? i % e.cols : i / e.cols * e.cols; };
  const auto equal_in = [&](const std::vector<double>& values) {
    for (std::size_t i = 0; i < e.count; ++i)
      if (!e.close(values[i], values[first(i)])) return false;
    return true;
  };
  if (std::ranges::find(e.of.unwritten, true) != e.of.unwritten.end() || !equal_in(e.of.found) ||
      equal_in(e.of.expected))
    return std::nullopt;
  return recognised_pattern{
      of_rows ? pattern::equal_rows : pattern::equal_columns,
      of_rows ? fmt::format("All rows of {} are equal: the row (y) plays no part in what is computed.", e.of.argument)
              : fmt::format("All columns of {} are equal: the column (x) plays no part in what is computed.",
                            e.of.argument)};
}

std::optional<recognised_pattern> equal_rows(const examined_output& e) { return equal_lines(e, true); }
std::optional<recognised_pattern> equal_columns(const examined_output& e) { return equal_lines(e, false); }

std::optional<recognised_pattern> transposed(const examined_output& e) {
  if (e.rows < 2 || e.cols < 2) return std::nullopt;
  std::vector<double> foretold(e.count);
  for (std::size_t i = 0; i < e.rows; ++i)
    for (std::size_t j = 0; j < e.cols; ++j) foretold[j * e.rows + i] = e.of.expected[i * e.cols + j];
  if (!explains(e.of, foretold)) return std::nullopt;
  return recognised_pattern{
      pattern::transposed,
      fmt::format(
          "{0} is transposed: its values are right, but {0}[row][column] stands where {0}[column][row] belongs. "
          "The index of the store should be row * {1} + column{2}.",
          e.of.argument, length_name(e.named, e.cols), length_value(e.named, e.cols))};
}

std::optional<recognised_pattern> shifted(const examined_output& e) {
  for (std::size_t distance = 1; distance <= longest_shift && distance < e.count; ++distance) {
    for (const bool up : {true, false}) {
      std::vector<double> foretold(e.count, std::nan(""));
      for (std::size_t i = 0; i + distance < e.count; ++i)
        (up ? foretold[i + distance] : foretold[i]) = e.of.expected[up ? i : i + distance];
      if (!explains(e.of, foretold)) continue;
      const auto n = std::to_string(distance);
      std::string says = fmt::format("{} holds what belongs into {}: the values are right, {} {} too far {}.",
                                     e.element("i"), e.element((up ? "i-" : "i+") + n), n,
                                     distance == 1 ? "element" : "elements", up ? "right" : "left");
      if (up && distance == 1 && e.of.found[0] == 0)
        says +=
            " In a running sum (scan) that is the exclusive one, which leaves the element itself out; does the task "
            "ask "
            "for the inclusive one?";
      return recognised_pattern{pattern::shifted, std::move(says)};
    }
  }
  return std::nullopt;
}

std::optional<recognised_pattern> multiple(const examined_output& e) {
  if (e.count == 1 && !e.of.integers && e.of.expected[0] != 0) {
    const double times = e.of.found[0] / e.of.expected[0];
    if (times > 1.5 && times < most_times && std::fabs(times - std::round(times)) < 1e-5)
      return recognised_pattern{pattern::multiple,
                                fmt::format("{} is {} times what it should be: it is added more than once.",
                                            e.element("0"), std::round(times))};
  }
  if (!many(e)) return std::nullopt;
  double factor = 0;
  for (std::size_t i = 0; i < e.count && factor == 0; ++i)
    if (std::isfinite(e.of.expected[i]) && std::fabs(e.of.expected[i]) > e.scale / 4)
      factor = e.of.found[i] / e.of.expected[i];
  if (!std::isfinite(factor) || factor == 0 || e.close(factor, 1)) return std::nullopt;
  const bool part = std::fabs(factor) < 1;
  const double whole = std::round(part ? 1 / factor : factor);
  if (std::fabs(whole) > most_times) return std::nullopt;
  std::vector<double> foretold(e.count);
  for (std::size_t i = 0; i < e.count; ++i) foretold[i] = part ? e.of.expected[i] / whole : e.of.expected[i] * whole;
  if (!explains(e.of, foretold)) return std::nullopt;
  return recognised_pattern{
      pattern::multiple,
      whole == -1 ? "Every element has the wrong sign."
      : part      ? fmt::format("Every element is a {}th of what it should be.", whole)
             : fmt::format("Every element is {} times what it should be. What is added, or counted, more than once?",
                           whole)};
}

// " At multiples of 2048 it is right again": a larger piece that begins as it should, where some do.
std::string right_again(const examined_output& e, std::size_t piece) {
  for (const std::size_t larger : pieces) {
    if (larger <= piece || larger >= e.count) continue;
    bool holds = true;
    for (std::size_t i = larger; i < e.count && holds; i += larger) holds = !e.of.wrong[i];
    if (holds)
      return fmt::format(" At multiples of {} {} is right again: what is handed on there arrives.", larger,
                         e.of.argument);
  }
  return "";
}

// A sum that runs on within pieces: there the error stays the same, and a piece that starts anew lacks all before it.
std::optional<recognised_pattern> restarting(const examined_output& e) {
  if (e.of.extents.size() != 1) return std::nullopt;
  for (const std::size_t piece : pieces) {
    if (piece >= e.count) continue;
    std::vector<double> foretold(e.count);
    for (std::size_t i = 0; i < e.count; ++i) {
      const std::size_t start = i / piece * piece;
      foretold[i] = e.of.expected[i] - (start == 0 ? 0 : e.of.expected[start - 1]);
    }
    if (!explains(e.of, foretold)) continue;
    return recognised_pattern{
        pattern::restarting,
        fmt::format("{} starts anew every {} elements: each piece of {} is right by itself and lacks the sum of all "
                    "pieces before it.",
                    e.of.argument, piece, piece)};
  }
  // Only some hand-overs are lost: the error is the same from one of them to the next.
  if (e.of.integers || std::ranges::find(e.of.unwritten, true) != e.of.unwritten.end()) return std::nullopt;
  for (const std::size_t piece : pieces) {
    std::size_t steady = 0, steps = 0;
    bool holds = true;
    for (std::size_t i = 1; i < e.count && holds; ++i) {
      const double before = e.of.found[i - 1] - e.of.expected[i - 1], here = e.of.found[i] - e.of.expected[i];
      if (e.close(before, here))
        steady += e.of.wrong[i] ? 1U : 0U;
      else if (i % piece == 0)
        ++steps;
      else
        holds = false;
    }
    if (!holds || steps == 0 || steady < 4 * fewest_foretold || steady < 3 * steps || e.of.wrong[0]) continue;
    return recognised_pattern{
        pattern::restarting,
        fmt::format("Within {} elements, {}all are off by the same number, and it changes from one {} to the next: "
                    "what the one "
                    "hands on to the other (the sum of all before it) is lost or incomplete.{}",
                    piece, piece == 32 ? "as many as a warp has lanes, " : "", piece, right_again(e, piece))};
  }
  return std::nullopt;
}

// Rows stored another distance apart: several elements then fall on one place, and any of them may have stayed.
std::optional<recognised_pattern> row_length(const examined_output& e) {
  if (e.rows < 2 || e.cols < 2) return std::nullopt;
  for (const named_size& s : e.named) {
    const auto length = static_cast<std::size_t>(std::max(s.value, 0));
    if (length == e.cols || length == 0) continue;
    std::size_t foretold = 0;
    bool holds = true;
    for (std::size_t at = 0; at < e.count && holds; ++at) {
      bool any = false, covered = false;
      for (std::size_t row = 0; row < e.rows && row * length <= at && !any; ++row) {
        const std::size_t col = at - row * length;
        if (col >= e.cols) continue;
        covered = true;
        any = !e.of.unwritten[at] && e.close(e.of.found[at], e.of.expected[row * e.cols + col]);
      }
      // Where two threads store one element, as many bytes were stored as there are: what nobody wrote is no number then.
      holds = covered ? any : e.of.unwritten[at] || std::isnan(e.of.found[at]);
      if (any && e.of.wrong[at]) ++foretold;
    }
    const std::size_t overlap = (e.cols + length - 1) / length;  // each further candidate is a further chance to meet
    if (!holds || foretold < fewest_foretold_integers + overlap || (e.of.integers && overlap > 1)) continue;
    return recognised_pattern{
        pattern::row_length,
        fmt::format("A row of {0} has {3}{4} elements, but its rows were stored {1}{2} apart: the index should be "
                    "{0}[row * {5} + column].",
                    e.of.argument, length, name_of_size(e.named, length), e.cols, name_of_size(e.named, e.cols),
                    length_name(e.named, e.cols))};
  }
  return std::nullopt;
}

constexpr std::array<recogniser, 11> recognisers{smallest_float, all_nan, all_zero, one_value,  transposed, equal_rows,
                                                 equal_columns,  shifted, multiple, restarting, row_length};

}  // namespace

explanation recognised_pattern::explained() const {
  const bool of_an_index = kind == pattern::transposed || kind == pattern::row_length;
  const bool symptom =
      kind == pattern::all_zero || kind == pattern::all_nan || kind == pattern::one_value || kind == pattern::multiple;
  return {fmt::format("pattern {}", static_cast<int>(kind)), says,
          of_an_index ? certainty::certain
          : symptom   ? certainty::vague
                      : certainty::likely};
}

bool is_close(double a, double b, double scale, bool integers) {
  if (integers || std::isnan(a) || std::isnan(b)) return a == b;
  if (std::isinf(a) || std::isinf(b)) return a == b;
  return std::fabs(a - b) <= 1e-5 * std::max(std::fabs(a), std::fabs(b)) + 4e-6 * scale;
}

std::string name_of_size(const sizes& named, std::size_t value) {
  std::string name;
  for (const named_size& s : named) {
    if (s.value < 0 || static_cast<std::size_t>(s.value) != value) continue;
    if (!name.empty()) return "";
    name = s.name;
  }
  return name.empty() ? "" : fmt::format(" ({})", name);
}

std::string length_name(const sizes& named, std::size_t value) {
  const std::string name = name_of_size(named, value);
  return name.empty() ? std::to_string(value) : name.substr(2, name.size() - 3);
}

std::string length_value(const sizes& named, std::size_t value) {
  return name_of_size(named, value).empty() ? "" : fmt::format(" with {} = {}", length_name(named, value), value);
}

bool explains(const output_values& of, const std::vector<double>& foretold) {
  const double scale = std::max(scale_of(of.expected), scale_of(foretold));
  std::size_t told = 0;
  std::set<double> different;
  for (std::size_t i = 0; i < of.found.size(); ++i) {
    if (std::isnan(foretold[i])) continue;
    if (of.unwritten[i] || !is_close(of.found[i], foretold[i], scale, of.integers)) return false;
    if (!of.wrong[i]) continue;
    ++told;
    if (different.size() < fewest_different_integers) different.insert(foretold[i]);
  }
  const auto wrong = static_cast<std::size_t>(std::ranges::count(of.wrong, true));
  if (told * 2 < wrong) return false;  // most of what is wrong is explained
  return of.integers ? told >= fewest_foretold_integers && different.size() >= fewest_different_integers
                     : told >= fewest_foretold;
}

std::optional<recognised_pattern> pattern_of(const output_values& of, const sizes& named) {
  if (of.found.empty() || of.extents.empty() || of.extents.size() > 2) return std::nullopt;
  if (std::ranges::find(of.wrong, true) == of.wrong.end()) return std::nullopt;
  const examined_output examined(of, named);
  for (const recogniser recognise : recognisers)
    if (auto found = recognise(examined)) return found;
  return std::nullopt;
}

}  // namespace simtlab
