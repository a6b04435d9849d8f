#include "judge/timed_benchmark.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "judge/gpu_turn.h"
#include "judge/scratch_folder.h"
#include "protocol/bounded_json.h"

namespace simtlab {
namespace {

constexpr unsigned most_attempts = 3;
constexpr std::chrono::seconds longest_baseline{60};
const std::string copy = "copy", solution = "solution";

// What is compared with, by the criteria; the copy is always measured, because floors follow from it.
std::set<std::string> baselines_of(const lab& of) {
  std::set<std::string> names{copy};
  for (const criterion& c : of.criteria)
    if (c.metric.what == quantity::ratio_to_baseline) names.insert(std::string(c.metric.of));
  return names;
}

class baseline_session {
 public:
  baseline_session(const std::string& lab_name, const lab& of, const judge_options& options, const test_case& benchmark)
      : lab_name_(lab_name), lab_(of), options_(options), benchmark_(benchmark), trusted_(options) {
    trusted_.runner = options.solution;
    trusted_.runner_prefix = options.baseline_prefix;
    random_source random(0, benchmark.name());
    const auto values = of.make_arguments(benchmark, random);
    request_ = request_for(lab_name_, lab_, options_, benchmark_, timed_run({}), values);
  }

  /// Measures everything once, and keeps it as what was before the submission, or after it.
  void measure(timing_evidence& into, bool after) {
    std::set<std::string> names = baselines_of(lab_);
    const bool library = std::ranges::any_of(names, [](const auto& n) { return n != copy && n != solution; });
    if (library) names.erase(copy);  // each library's process measures the copy, too
    for (const std::string& name : names) {
      std::string problem;
      const auto found = name == solution ? time_solution(problem) : time_library(name, problem);
      if (!found) {
        into.missing[name] = problem;
        continue;
      }
      if (found->limits) (after ? into.limits_after : into.limits_before) = found->limits;
      if (found->state) into.state = found->state;
      if (found->timed) {
        baseline_times& times = into.baselines[name];
        (after ? times.after : times.before) = found->timed->milliseconds;
      }
    }
    if (!into.limits_before && !into.missing.contains(copy) && library)
      into.missing[copy] = into.missing.begin()->second;
  }

  [[nodiscard]] static case_run timed_run(std::vector<double> thresholds) {
    timing_request timing;
    timing.until.thresholds = std::move(thresholds);
    return {.counters = false, .checks = false, .timing = timing, .rounds = 2, .of = phase::benchmark};
  }

 private:
  std::optional<measurements> time_library(const std::string& name, std::string& problem) const {
    if (options_.baselines.empty()) {
      problem = fmt::format("the baseline {} is not built here (target simtlab-baselines)", name);
      return std::nullopt;
    }
    const scratch_folder folder;
    // Sizes alone: the program fills its inputs itself.
    const std::vector<round_values> nothing(request_.rounds, round_values(request_.arguments.size()));
    write_request(folder.path(), request_, nothing);
    std::vector<std::string> words = options_.baseline_prefix;
    words.insert(words.end(), {options_.baselines.string(), name, folder.path().string()});
    process_limits limits;
    limits.wall = longest_baseline;
    std::optional<gpu_turn> turn(std::in_place, gpu_turn::use::alone);
    const process_outcome ended = run_process(words, folder.path() / "result", limits, [] { return true; });
    turn.reset();
    const folder_handle result(folder.path() / "result");
    if (!result.has("result.json")) {
      problem = fmt::format("the baseline {} ended without a result: {}", name,
                            ended.text.empty() ? printable(ended.printed, 300) : ended.text);
      return std::nullopt;
    }
    case_result measured = read_result(result, request_);
    if (measured.how != ending::our_fault) return std::move(measured.measured);
    problem = fmt::format("the baseline {} could not be measured: {}", name, measured.detail.text);
    return std::nullopt;
  }

  std::optional<measurements> time_solution(std::string& problem) const {
    if (options_.solution.empty()) {
      problem = "the lab's own solution is not built here";
      return std::nullopt;
    }
    case_run run = timed_run({});
    run.compare = false;
    case_outcome outcome = case_judge(lab_name_, lab_, trusted_).judge(benchmark_, run);
    if (is_right(outcome.judged) && outcome.measured.timed) return std::move(outcome.measured);
    problem = fmt::format("the lab's own solution could not be timed: {}", outcome.message);
    return std::nullopt;
  }

  const std::string& lab_name_;
  const lab& lab_;
  const judge_options& options_;
  const test_case& benchmark_;
  judge_options trusted_;
  case_request request_;
};

}  // namespace

timed_benchmark time_benchmark(const std::string& lab_name, const lab& of, const judge_options& options,
                               const case_judge& judge, const test_case& benchmark) {
  baseline_session baselines(lab_name, of, options, benchmark);
  timed_benchmark result;
  for (unsigned attempt = 1; attempt <= most_attempts; ++attempt) {
    timing_evidence evidence;
    evidence.model = of.model(benchmark);
    evidence.attempts = attempt;
    baselines.measure(evidence, false);
    result.outcome = judge.judge(benchmark, baseline_session::timed_run(thresholds_of(of.criteria, evidence)));
    evidence.alone = result.outcome.had_turn;
    if (result.outcome.measured.timed) {
      evidence.calls = *result.outcome.measured.timed;
      evidence.wall_milliseconds = result.outcome.milliseconds;
    }
    if (is_right(result.outcome.judged)) baselines.measure(evidence, true);
    result.evidence = std::move(evidence);
    if (!is_right(result.outcome.judged) || drift_of(result.evidence) <= most_drift) break;
  }
  if (!is_right(result.outcome.judged)) return result;
  if (std::string why = implausibility(result.evidence); !why.empty()) {
    result.outcome.judged = verdict::implausible;
    result.outcome.message = std::move(why);
  }
  return result;
}

}  // namespace simtlab
