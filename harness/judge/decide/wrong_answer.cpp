#include "judge/decide/wrong_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "judge/decide/comparison.h"
#include "judge/decide/input_reading.h"
#include "judge/decide/short_copies.h"
#include "judge/decide/thread_coverage.h"
#include "judge/wording.h"

namespace simtlab {
namespace {

// Whether a kernel asks what stands there, as one does that adds to it.
bool is_read(const case_result& r, const std::string& argument) {
  return std::ranges::any_of(r.measured.launches, [&](const launch_counters& l) {
    return std::ranges::any_of(l.accesses,
                               [&](const access_counters& a) { return a.variable == argument && a.access != "write"; });
  });
}

bool shuffles(const case_result& r) {
  return std::ranges::any_of(r.measured.launches, [](const launch_counters& l) { return l.warp_value_primitives > 0; });
}

/// What stands in a local variable that nobody gave a value: g++'s -ftrivial-auto-var-init=pattern, by which the emulator
/// compiles kernels.
constexpr auto no_value = 0xFEFEFEFEU;

// Local variables without a first value. A sum of floats that begins with one stays there, for nothing that is added is as large; a
// warp's sum of such sums is beyond all floats; an integer counts on from there.
std::optional<explanation> no_first_value(const output_values& output) {
  constexpr double most_counted = 1 << 20;
  const auto as_float = static_cast<double>(std::bit_cast<float>(no_value));
  bool is_seen = false;
  for (std::size_t i = 0; i < output.found.size(); ++i) {
    if (!output.wrong[i] || output.unwritten[i]) continue;
    const double found = output.found[i];
    if (output.integers) {
      constexpr double modulus = 4294967296.0;
      const double counted = std::fmod(found - no_value + 2 * modulus, modulus);
      if (counted > most_counted) return std::nullopt;
      is_seen = true;
    } else {
      const bool is_one = found == as_float || found == 2 * as_float;
      if (!is_one && std::isfinite(found)) return std::nullopt;
      is_seen = is_seen || is_one || found == -std::numeric_limits<double>::infinity();
    }
  }
  if (!is_seen) return std::nullopt;
  return explanation{
      "no first value",
      fmt::format(
          "This looks like a variable of the kernel that has no first value: it holds what lies in its "
          "register, on this emulator always {}. Write float sum = 0; for float sum;",
          output.integers ? fmt::format("{}", static_cast<std::int32_t>(no_value)) : fmt::format("{:.4g}", as_float))};
}

// Whether a launch that stores to the output has a block for each of its elements.
bool has_a_block_each(const std::vector<launch_counters>& launches, const output_values& output) {
  return std::ranges::any_of(launches, [&](const launch_counters& l) {
    return l.grid[0] * l.grid[1] * l.grid[2] == output.found.size() && l.block[0] * l.block[1] * l.block[2] > 1 &&
           std::ranges::any_of(l.accesses, [&](const access_counters& a) {
             return a.access != "read" && a.variable == output.argument;
           });
  });
}

// Two floats meet by chance less often than whole numbers; zero and the smallest float have causes of their own.
bool is_one_fraction(const output_values& output) {
  constexpr double smallest = std::numeric_limits<float>::min();
  const auto is_first = [&](double v) { return v == output.found[0]; };
  return !output.integers && output.found.size() > 1 && std::fabs(output.found[0]) > smallest &&
         std::ranges::all_of(output.found, is_first) &&
         !std::ranges::all_of(output.expected, [&](double v) { return v == output.expected[0]; });
}

// A warp's vote where the number of its bits is asked for. Other mistakes of a count come out nearer to it.
std::optional<explanation> uncounted_vote(const output_values& output) {
  constexpr double fewest = 3, most = 32, far = 64;
  if (output.found.size() != 1 || !output.integers) return std::nullopt;
  const double expected = output.expected[0], found = output.found[0];
  if (expected < fewest || expected > most || found < far * expected ||
      found > static_cast<double>(std::numeric_limits<std::uint32_t>::max()))
    return std::nullopt;
  const auto word = static_cast<std::uint32_t>(found);
  if (std::popcount(word) != static_cast<int>(expected)) return std::nullopt;
  return explanation{"uncounted vote",
                     fmt::format("{}[0] is {:#x}, of whose bits {:g} are set, as many as are expected: this looks like "
                                 "the word of __ballot_sync itself, with a bit for each lane. __popc counts them.",
                                 output.argument, word, expected)};
}

// A variable of the device that kernels store to lives as long as the program.
std::string start_of_sum(const wrong_answer& a, const std::string& output) {
  for (const launch_counters& l : a.by.measured.launches)
    for (const access_counters& c : l.accesses)
      if (c.access != "read" && std::ranges::find(a.device_variables, c.variable) != a.device_variables.end())
        return fmt::format(
            "{}, a variable of the device, keeps its value from one call to the next: set it before "
            "the first launch of each call.",
            c.variable);
  return std::string("A variable of the kernel has no first value: write float sum = 0; for float sum;") +
         (is_read(a.by, output) ? " Or what is added to is not cleared in each call." : "");
}

}  // namespace

std::vector<explanation> what_it_looks_like(const wrong_answer& a, const output_values& output) {
  const std::vector<launch_counters>& launches = a.by.measured.launches;
  std::vector<explanation> all;
  const auto add = [&all](std::vector<explanation> more) {
    for (explanation& e : more) all.push_back(std::move(e));
  };
  if (a.counted)
    if (auto swapped = swapped_launch(launches)) all.push_back(std::move(*swapped));
  if (a.counted && a.of.kind == entry_kind::host) {
    const std::size_t element_bytes = a.of.arguments[a.position].element_bytes;
    if (auto copy = size_in_elements(a.of, a.by.measured)) return {std::move(*copy)};
    if (auto copy = never_copied_back(output, element_bytes, a.by.measured)) return {std::move(*copy)};
    const std::string copy = missing_copy(output, element_bytes, a.by.measured);
    if (!copy.empty()) return {{"copy back", copy}};
  }
  if (std::ranges::find(output.unwritten, true) != output.unwritten.end()) {
    // Rows that were stored too near to one another leave the end unwritten, however many threads there are.
    if (const auto found = pattern_of(output, a.in.all_sizes()); found && found->kind == pattern::row_length)
      return {found->explained()};
    if (a.counted) add(missing_threads(output, launches));
    return all;
  }
  if (const std::string unshared = unshared_arrays(launches); !unshared.empty()) return {{"__shared__", unshared}};
  if (auto unset = no_first_value(output)) return {std::move(*unset)};
  if (shuffles(a.by))
    if (auto vote = uncounted_vote(output)) return {std::move(*vote)};
  if (a.counted && is_one_fraction(output) && has_a_block_each(launches, output))
    return {{"same in each block",
             fmt::format("Every element of {} is the same number, and each block has one of them: the block's index, "
                         "blockIdx, plays no part in what a block reads.",
                         output.argument)}};
  if (const auto found = pattern_of(output, a.in.all_sizes())) {
    all.push_back(found->explained());
    if (found->kind == pattern::multiple && shuffles(a.by)) {
      all.back().says +=
          " At a shuffle a lane without a partner gets its own value: after __shfl_up_sync add only where lane >= "
          "distance.";
      all.back().how = certainty::likely;
    }
  }
  if (!all.empty() && all.back().how != certainty::vague) return all;
  add(misread_input(a.of, a.in, a.given, a.position, output, launches));
  if (std::string share = wrong_share_read(a.of, a.in, a.given, launches); !share.empty())
    all.push_back({"share read", std::move(share)});
  std::stable_partition(all.begin(), all.end(), [](const explanation& e) { return e.how != certainty::vague; });
  return all;
}

std::vector<explanation> from_the_call_before(const wrong_answer& a, std::size_t round) {
  std::string text = fmt::format(
      "This is the {} call of the entry in one program, with other values in other memory; the call before was "
      "right.",
      ordinal(round + 1));
  const argument_description& of = a.of.arguments[a.position];
  std::vector<argument_value> values = a.given;
  a.of.run_reference(values);
  const output_values output = values_of(a.of, a.of.tolerance_of(a.in), a.position, values, {}, a.by.rounds[round]);
  std::vector<double> foretold = numbers_of(a.by.rounds[round - 1][a.position], of.scalar);
  for (std::size_t i = 0; i < foretold.size(); ++i) foretold[i] += output.expected[i];
  if (explains(output, foretold) ||
      (foretold.size() == 1 && is_close(foretold[0], output.found[0], foretold[0], false)))
    return {{"not cleared",
             text + " Each result is the right one plus that of the call before: the sum does not start at zero. " +
                 start_of_sum(a, of.name)}};
  return {{call_before,
           text + " Either a variable is read before it has a value, or the entry keeps something from one call to the "
                  "next: a static or global variable, memory that is not cleared again.",
           certainty::vague}};
}

std::optional<explanation> another_input(const wrong_answer& a, const mismatch& m) {
  const argument_description& of = a.of.arguments[a.position];
  if (m.allowed_there > 0 || m.integers || m.first.empty()) return std::nullopt;
  for (std::size_t i = 0; i < a.given.size(); ++i) {
    const argument_description& input = a.of.arguments[i];
    if (input.role != argument_role::input || input.scalar != of.scalar) continue;
    const std::vector<double> values = numbers_of(a.given[i].bytes, input.scalar);
    if (values.size() < 2 * m.total) continue;  // picked from many, not copied
    const auto place = [&](double value) { return std::ranges::find(values, value) - values.begin(); };
    const auto is_there = [&](double value) { return std::ranges::find(values, value) != values.end(); };
    if (!std::ranges::all_of(m.first, [&](const wrong_element& w) {
          return !w.never_written && is_there(w.actual) && is_there(w.expected);
        }))
      continue;
    const wrong_element& w = m.first.front();
    return explanation{
        "another input",
        fmt::format("{} holds {}[{}], and {}[{}] is expected: another of the input's values, which no rounding has "
                    "changed. Which elements are not compared?",
                    element_name(m.argument, w.index), input.name, place(w.actual), input.name, place(w.expected))};
  }
  return std::nullopt;
}

explanation rounding(const mismatch& m) {
  return {"rounding",
          fmt::format("Off by {:.2g} at most, allowed {}. So near a value is by another rounding, such as half "
                      "precision or another order of summation, or for want of a small part of a long sum.",
                      m.largest_error,
                      m.allowed_there > 0 ? fmt::format("is {:.2g}", m.allowed_there) : "is no difference")};
}

}  // namespace simtlab
