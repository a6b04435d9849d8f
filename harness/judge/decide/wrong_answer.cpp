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
    const std::string copy = missing_copy(output, a.of.arguments[a.position].element_bytes, a.by.measured);
    if (!copy.empty()) return {{"copy back", copy}};
  }
  if (std::ranges::find(output.unwritten, true) != output.unwritten.end()) {
    if (a.counted) add(missing_threads(output, launches));
    return all;
  }
  if (const std::string unshared = unshared_arrays(launches); !unshared.empty()) return {{"__shared__", unshared}};
  if (auto unset = no_first_value(output)) return {std::move(*unset)};
  if (shuffles(a.by))
    if (auto vote = uncounted_vote(output)) return {std::move(*vote)};
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
                 "A variable of the kernel has no first value: write float sum = 0; for float sum;" +
                 (is_read(a.by, of.name) ? " Or what is added to is not cleared in each call." : "")}};
  return {{"call before",
           text + " Either a variable is read before it has a value, or the entry keeps something from one call to the "
                  "next: a static or global variable, memory that is not cleared again.",
           certainty::vague}};
}

explanation rounding(const mismatch& m) {
  return {"rounding",
          fmt::format("Off by {:.2g} at most, allowed {}. So near a value is by another rounding, such as half "
                      "precision or another order of summation, or for want of a small part of a long sum.",
                      m.largest_error,
                      m.allowed_there > 0 ? fmt::format("is {:.2g}", m.allowed_there) : "is no difference")};
}

}  // namespace simtlab
