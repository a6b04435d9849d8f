#include "judge/gpu/timing_evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace simtlab {
namespace {

constexpr double beyond_copy = 1.25, beyond_multiply_adds = 4;
// The host sees launch and joining beside the events' span; more than this apart, one of the two clocks is not right.
constexpr double host_over_events = 1.5, host_slack_milliseconds = 0.3;

// Covers the median's intervals of all sets, and the sets' medians where a set is too small for an interval.
std::optional<interval> cover(std::initializer_list<const std::vector<double>*> sets,
                              double confidence = median_confidence) {
  std::optional<interval> all;
  for (const std::vector<double>* set : sets) {
    const auto middle = median(*set);
    if (!middle) continue;
    const interval one = median_interval(*set, confidence).value_or(interval{*middle, *middle});
    all = all ? interval{std::min(all->low, one.low), std::max(all->high, one.high)} : one;
  }
  return all;
}

double change(double before, double after) { return std::fabs(after / before - 1); }

double bytes_of(const work& w) { return w.bytes_read + w.bytes_written; }

// The submission's times as a reading of its median; nothing, with a reason, where they may not be graded.
std::optional<timed_reading> read_calls(const timing_evidence& e, std::string& reason,
                                        double confidence = median_confidence) {
  const auto middle = median(e.calls.milliseconds);
  const auto bounds = cover({&e.calls.milliseconds}, confidence);
  if (!middle || !bounds || !(bounds->low > 0)) {
    reason = "no time was taken";
  } else if (*middle < least_graded_milliseconds) {
    reason = fmt::format("one call takes {:.3g} µs, and times below {:g} µs are noise: none is graded", 1000 * *middle,
                         1000 * least_graded_milliseconds);
  } else {
    return timed_reading{*middle, *bounds};
  }
  return std::nullopt;
}

// All times of a baseline, before and after.
std::optional<timed_reading> read_baseline(const timing_evidence& e, const std::string& baseline, double confidence,
                                           std::string& reason) {
  const auto found = e.baselines.find(baseline);
  if (found == e.baselines.end()) {
    const auto why = e.missing.find(baseline);
    reason = why == e.missing.end() ? fmt::format("the baseline {} was not timed", baseline) : why->second;
    return std::nullopt;
  }
  std::vector<double> all = found->second.before;
  all.insert(all.end(), found->second.after.begin(), found->second.after.end());
  const auto middle = median(all);
  const auto bounds = cover({&found->second.before, &found->second.after}, confidence);
  if (!middle || !bounds || !(*middle > 0)) {
    reason = fmt::format("the baseline {} has no times", baseline);
    return std::nullopt;
  }
  return timed_reading{*middle, *bounds};
}

struct anchor_time {
  double milliseconds = 0, mark = 0;
};
using anchor_times = std::vector<anchor_time>;  // fastest first

// A mark follows from three medians, the submission's and those of the anchors on its two sides: Bonferroni for three.
constexpr double bracket_confidence = 1 - (1 - ratio_confidence) / 3;

double mark_at(double milliseconds, const anchor_times& anchors) {
  const double speed = 1 / milliseconds;
  double upper_speed = full_mark_share / anchors.front().milliseconds, upper_mark = anchors.front().mark;
  if (speed >= upper_speed) return upper_mark;
  for (std::size_t i = 1; i <= anchors.size(); ++i) {
    const bool is_last = i == anchors.size();
    const double lower_speed = is_last ? 0 : 1 / anchors[i].milliseconds, lower_mark = is_last ? 0 : anchors[i].mark;
    if (speed >= lower_speed && upper_speed > lower_speed)
      return lower_mark + (upper_mark - lower_mark) * (speed - lower_speed) / (upper_speed - lower_speed);
    upper_speed = lower_speed;
    upper_mark = lower_mark;
  }
  return 0;
}

std::string list_times(const std::vector<anchor>& anchors, const anchor_times& times, double milliseconds) {
  std::string text = fmt::format("this took {:.4g} ms", milliseconds);
  for (std::size_t i = 0; i < times.size(); ++i)
    text += fmt::format("; {}, which earns {:.0f} %, {:.4g} ms", anchors[i].name, 100 * times[i].mark,
                        times[i].milliseconds);
  return text;
}

std::optional<timed_reading> read_copy(const timing_evidence& e) {
  if (!e.limits_before) return std::nullopt;
  const double before = e.limits_before->copy_gigabytes_per_second;
  const double after = e.limits_after ? e.limits_after->copy_gigabytes_per_second : before;
  const double weight = e.limits_after ? 1 / (1 + static_cast<double>(e.programs_before)) : 0;
  return timed_reading{before + weight * (after - before), {std::min(before, after), std::max(before, after)}};
}

}  // namespace

std::optional<timed_reading> read_copy_fraction(const timing_evidence& e, std::string& reason) {
  const auto calls = read_calls(e, reason);
  if (!calls) return std::nullopt;
  const auto copy = read_copy(e);
  if (!copy) {
    const auto why = e.missing.find("copy");
    reason = why == e.missing.end() ? "no copy was timed" : why->second;
    return std::nullopt;
  }
  const double per_millisecond = bytes_of(e.model) / 1e6;  // GB/s of a call that takes one
  return timed_reading{
      per_millisecond / calls->value / copy->value,
      ratio_of({per_millisecond / calls->bounds.high, per_millisecond / calls->bounds.low}, copy->bounds)};
}

std::optional<timed_reading> read_baseline_ratio(const timing_evidence& e, const std::string& baseline,
                                                 std::string& reason) {
  const auto calls = read_calls(e, reason);
  if (!calls) return std::nullopt;
  const auto times = read_baseline(e, baseline, median_confidence, reason);
  if (!times) return std::nullopt;
  return timed_reading{times->value / calls->value, ratio_of(times->bounds, calls->bounds)};
}

std::optional<timed_reading> read_among_anchors(const timing_evidence& e, const std::vector<anchor>& anchors,
                                                std::string& reason) {
  const auto calls = read_calls(e, reason, bracket_confidence);
  if (!calls) return std::nullopt;
  anchor_times shortest, middles, longest;
  for (const anchor& a : anchors) {
    const auto times = read_baseline(e, std::string(a.name), bracket_confidence, reason);
    if (!times) return std::nullopt;
    if (!middles.empty() && times->value < least_anchor_gap * middles.back().milliseconds) {
      reason =
          fmt::format("on this GPU {} takes {:.4g} ms and {} {:.4g} ms: they are too near to grade a time between them",
                      a.name, times->value, anchors[middles.size() - 1].name, middles.back().milliseconds);
      return std::nullopt;
    }
    shortest.push_back({times->bounds.low, a.mark});
    middles.push_back({times->value, a.mark});
    longest.push_back({times->bounds.high, a.mark});
  }
  reason = list_times(anchors, middles, calls->value);
  if (const auto copy = read_copy(e); copy && copy->value > 0)
    reason += fmt::format("; a plain copy of the same bytes {:.4g} ms", bytes_of(e.model) / 1e6 / copy->value);
  return timed_reading{mark_at(calls->value, middles),
                       {mark_at(calls->bounds.high, shortest), mark_at(calls->bounds.low, longest)}};
}

timing_evidence joined(timing_evidence first, const timing_evidence& second) {
  const auto add = [](std::vector<double>& to, const std::vector<double>& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  timing_evidence all = second;
  all.calls.milliseconds = std::move(first.calls.milliseconds);
  all.calls.checked += all.calls.milliseconds.size();
  add(all.calls.milliseconds, second.calls.milliseconds);
  all.wall_milliseconds += first.wall_milliseconds;
  all.limits_before = first.limits_before;
  for (auto& [name, times] : all.baselines) {
    const std::vector<double> between = std::move(times.before);
    times.before = std::move(first.baselines[name].before);
    add(times.before, first.baselines[name].after);
    add(times.after, between);
  }
  return all;
}

double drift_of(const timing_evidence& e) {
  double drift = 0;
  if (e.limits_before && e.limits_after)
    drift = change(e.limits_before->copy_gigabytes_per_second, e.limits_after->copy_gigabytes_per_second);
  for (const auto& [name, times] : e.baselines) {
    const auto before = median(times.before), after = median(times.after);
    if (before && after) drift = std::max(drift, change(*before, *after));
  }
  return drift;
}

double floor_milliseconds(const work& w, const device_limits& l) {
  const double beyond_cache = std::max(0.0, bytes_of(w) - static_cast<double>(l.cache_bytes));
  return std::max(beyond_cache / (beyond_copy * l.copy_gigabytes_per_second * 1e6),
                  w.operations / (beyond_multiply_adds * l.giga_multiply_adds_per_second * 1e6));
}

std::string implausibility(const timing_evidence& e) {
  const auto middle = median(e.calls.milliseconds);
  if (!middle) return "";
  if (e.limits_before) {
    // The device is never slower than it was seen to be, so the better of two sightings makes the lower floor.
    double floor = floor_milliseconds(e.model, *e.limits_before);
    if (e.limits_after) floor = std::min(floor, floor_milliseconds(e.model, *e.limits_after));
    if (*middle < floor)
      return fmt::format(
          "One call seemed to take {:.4g} ms. This GPU cannot do the lab's work in less than {:.4g} ms, so the time "
          "does "
          "not cover all of the work. Does everything that the entry starts end before its results are used?",
          *middle, floor);
  }
  if (e.calls.host_milliseconds > host_over_events * *middle + host_slack_milliseconds)
    return fmt::format(
        "One call took {:.4g} ms by the GPU's events and {:.4g} ms by the host's clock. Both see the same "
        "call, so one of them was kept from seeing all of it.",
        *middle, e.calls.host_milliseconds);
  const double sum = std::accumulate(e.calls.milliseconds.begin(), e.calls.milliseconds.end(), 0.0);
  if (sum > e.wall_milliseconds)
    return fmt::format("The timed calls add up to {:.4g} ms, but the whole program ran for {:.4g} ms.", sum,
                       e.wall_milliseconds);
  return "";
}

std::vector<double> thresholds_of(const std::vector<criterion>& criteria, const timing_evidence& e) {
  std::vector<double> times;
  for (const criterion& c : criteria) {
    double at_one = 0;  // the time of a call that reads 1
    if (c.metric.what == quantity::time_among_anchors) {
      for (const anchor& a : c.anchors)
        if (const auto found = e.baselines.find(std::string(a.name)); found != e.baselines.end())
          if (const auto middle = median(found->second.before))
            times.push_back(a.name == c.anchors.front().name ? *middle / full_mark_share : *middle);
      continue;
    }
    if (c.metric.what == quantity::copy_bandwidth_fraction && e.limits_before)
      at_one = bytes_of(e.model) / (e.limits_before->copy_gigabytes_per_second * 1e6);
    if (c.metric.what == quantity::ratio_to_baseline) {
      const auto found = e.baselines.find(std::string(c.metric.of));
      if (found != e.baselines.end()) at_one = median(found->second.before).value_or(0);
    }
    if (at_one > 0 && c.full_value > 0) times.push_back(at_one / c.full_value);
    if (at_one > 0 && c.none_value > 0) times.push_back(at_one / c.none_value);
  }
  return times;
}

std::vector<std::string> remarks_on(const timing_evidence& e) {
  std::vector<std::string> remarks;
  if (const double drift = drift_of(e); drift > most_drift)
    remarks.push_back(
        fmt::format("The GPU changed its speed by {:.1f} % around the measurement, {} times in a row; the "
                    "intervals cover that.",
                    100 * drift, e.attempts));
  if (e.state && !e.state->throttled.empty())
    remarks.push_back(fmt::format("The GPU held its clocks down: {}.", fmt::join(e.state->throttled, ", ")));
  if (e.state && e.state->other_processes > 0)
    remarks.push_back(fmt::format("{} other {} used the GPU meanwhile.", e.state->other_processes,
                                  e.state->other_processes == 1 ? "process" : "processes"));
  if (!e.alone)
    remarks.emplace_back("The GPU was not free for a measurement alone; another one may have run beside it.");
  if (e.calls.state == "noisy")
    remarks.push_back(fmt::format("The times still varied after {} calls.", e.calls.milliseconds.size()));
  return remarks;
}

}  // namespace simtlab
