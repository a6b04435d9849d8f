// What was measured around and in a submission's timed calls, and what follows from it: plain numbers in, readings out.
//
// A time alone proves nothing; a ratio to something measured in the same minutes on the same GPU does. Each baseline is
// measured before and after the submission. Where the two disagree, the GPU has drifted: the interval then covers both.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "protocol/measurement.h"
#include "spec/lab_core.h"
#include "timing/sample_statistics.h"

namespace simtlab {

/// Below this a time is noise: its medians differ by 4 to 10 % between runs.
inline constexpr double least_graded_milliseconds = 0.030;
/// More than this between before and after, and everything is measured again.
inline constexpr double most_drift = 0.01;

/// Of the fastest anchor's speed: what earns all. Times of one kernel differ by up to 1 % from process to process, and a
/// submission that takes the solution's way need not be its twin.
inline constexpr double full_mark_share = 0.97;
/// How much longer an anchor has to take than the next faster one.
inline constexpr double least_anchor_gap = 1.08;

struct baseline_times {
  std::vector<double> before, after;  ///< milliseconds
  std::chrono::seconds age{0};        ///< of what was measured before, when it was used
};

struct timing_evidence {
  timed_calls calls;             ///< the submission's
  double wall_milliseconds = 0;  ///< of the submission's whole process, by the judge's clock
  std::optional<device_limits> limits_before, limits_after;
  std::size_t programs_before = 1;  ///< of how many programs `limits_before` is the median
  std::map<std::string, baseline_times> baselines;
  std::map<std::string, std::string> missing;  ///< baselines that could not be measured, and why
  std::optional<gpu_state> state;
  work model;
  unsigned attempts = 1;
  bool alone = true;                     ///< no other timed process of ours was on the GPU
  std::map<std::string, double> phases;  ///< what took how many milliseconds
};

/// A reading with the interval that holds it with `ratio_confidence`.
struct timed_reading {
  double value = 0;
  interval bounds;
};

/// Why no reading can be had goes to `reason`.
[[nodiscard]] std::optional<timed_reading> read_copy_fraction(const timing_evidence&, std::string& reason);
[[nodiscard]] std::optional<timed_reading> read_baseline_ratio(const timing_evidence&, const std::string& baseline,
                                                               std::string& reason);

/// The mark at the submission's speed, linear in the speed between neighbouring anchors; the fastest anchor's is earned from
/// `full_mark_share` of its speed on, the slowest's falls to nothing with the speed. No reading where two neighbours are not
/// `least_anchor_gap` apart on this GPU: it cannot tell them, whatever the submission does.
[[nodiscard]] std::optional<timed_reading> read_among_anchors(const timing_evidence&, const std::vector<anchor>&,
                                                              std::string& reason);

/// One measurement of two that took turns, baselines, submission, baselines, submission, baselines, on a GPU whose clocks
/// do not hold still: all calls of each are one set.
[[nodiscard]] timing_evidence joined(timing_evidence first, const timing_evidence& second);

/// The largest change between before and after, of the copy and of every baseline: 0.01 is 1 %.
[[nodiscard]] double drift_of(const timing_evidence&);

/// No kernel that does the model's work can be faster on this GPU: its bytes beyond what the cache may still hold at a
/// quarter more than the measured copy bandwidth, and its operations at four times the measured rate (units for matrices
/// exceed the ordinary ones).
[[nodiscard]] double floor_milliseconds(const work&, const device_limits&);

/// Why the submission's times cannot be what they claim; empty when they can.
[[nodiscard]] std::string implausibility(const timing_evidence&);

/// Times of the submission at which a time criterion's points, or passing, would change, as far as is known before it runs.
[[nodiscard]] std::vector<double> thresholds_of(const std::vector<criterion>&, const timing_evidence&);

/// What a reader of the result should know beside it: drift, throttling, neighbours, samples that never settled.
[[nodiscard]] std::vector<std::string> remarks_on(const timing_evidence&);

}  // namespace simtlab
