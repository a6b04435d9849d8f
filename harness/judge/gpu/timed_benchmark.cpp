#include "judge/gpu/timed_benchmark.h"

#include <future>
#include <thread>

#include "judge/gpu/baseline_session.h"

namespace simtlab {
namespace {

using clock = std::chrono::steady_clock;
constexpr unsigned most_attempts = 3;

double milliseconds_taken_from(clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(clock::now() - begin).count();
}

// Whether the processor can compare outputs while the GPU measures the baselines.
bool has_cores_to_spare() { return std::thread::hardware_concurrency() >= 4; }

// One round of baselines, submission, baselines. `judged` is the submission's outcome.
timing_evidence measure_once(baseline_session& baselines, const lab& of, const case_runner& judge,
                             const prepared_case& benchmark, bool drifted, case_outcome& judged) {
  timing_evidence evidence;
  evidence.model = of.model(benchmark.of());
  auto begin = clock::now();
  baselines.before(evidence, drifted);
  evidence.phases["baselines before"] = milliseconds_taken_from(begin);

  timing_evidence afterwards = evidence;
  const auto measure_after = [&] {
    const auto from = clock::now();
    baselines.after(afterwards);
    afterwards.phases["baselines after"] = milliseconds_taken_from(from);
  };
  std::future<void> meanwhile;
  case_run run = timed_run(thresholds_of(of.criteria, evidence));
  run.after_process = [&](bool has_result) {
    evidence.phases["submission"] = milliseconds_taken_from(begin);
    if (has_result && has_cores_to_spare()) meanwhile = std::async(std::launch::async, measure_after);
    begin = clock::now();
  };
  begin = clock::now();
  judged = judge.judge(benchmark, run);
  evidence.phases["check"] = milliseconds_taken_from(begin);
  if (!meanwhile.valid() && is_right(judged.judged)) measure_after();
  if (meanwhile.valid()) meanwhile.get();

  afterwards.phases.merge(evidence.phases);
  afterwards.phases["waiting for the GPU"] = judged.waited_milliseconds;
  afterwards.alone = judged.had_turn;
  if (judged.measured.timed) {
    afterwards.calls = *judged.measured.timed;
    afterwards.wall_milliseconds = judged.milliseconds;
  }
  return afterwards;
}

}  // namespace

std::unique_ptr<prepared_case> prepare_benchmark(const std::string& lab_name, const lab& of,
                                                 const judge_options& options, const case_runner& judge,
                                                 const test_case& benchmark) {
  const case_run run = timed_run();
  auto made = std::make_unique<prepared_case>(judge.prepared(benchmark, run));
  made->stage_inputs(request_for(lab_name, of, options, benchmark, run, made->rounds().front()));
  return made;
}

timed_benchmark time_benchmark(const std::string& lab_name, const lab& of, const judge_options& options,
                               const case_runner& judge, const prepared_case& benchmark) {
  baseline_session baselines(lab_name, of, options, benchmark);
  timed_benchmark result;
  std::map<std::string, double> phases;
  for (unsigned attempt = 1; attempt <= most_attempts; ++attempt) {
    timing_evidence evidence = measure_once(baselines, of, judge, benchmark, attempt > 1, result.outcome);
    evidence.attempts = attempt;
    for (const auto& [name, milliseconds] : evidence.phases) phases[name] += milliseconds;
    // A GPU that holds its clocks down drifts all the time: attempts are then turns of one measurement.
    const bool takes_turns = attempt > 1 && result.evidence.state && !result.evidence.state->throttled.empty();
    result.evidence = takes_turns ? joined(std::move(result.evidence), evidence) : std::move(evidence);
    if (!is_right(result.outcome.judged) || drift_of(result.evidence) <= most_drift) break;
  }
  result.evidence.phases = std::move(phases);
  if (!is_right(result.outcome.judged)) return result;
  if (std::string why = implausibility(result.evidence); !why.empty()) {
    result.outcome.judged = verdict::implausible;
    result.outcome.message = std::move(why);
  }
  return result;
}

}  // namespace simtlab
