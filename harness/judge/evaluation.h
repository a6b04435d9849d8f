// Everything the judge finds out about one submission. Each part runs when it is first asked for, and once. The verdict of
// the lab is made of the cases' here (`overall`).
#pragma once

#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "judge/case_runner.h"
#include "judge/score/criteria.h"

namespace simtlab {

enum class status : std::uint8_t { pass, fail, not_measured };
[[nodiscard]] const char* name_of(status);

struct correct_result {
  status how = status::not_measured;
  std::size_t passed = 0, total = 0;
};

/// Whether two cases found the same: rule, unordered pair of lines, variable.
[[nodiscard]] bool is_same(const finding&, const finding&);

struct safe_result {
  status how = status::not_measured;
  std::string reason;             ///< when not measured
  std::string unsanitized;        ///< when compute-sanitizer was asked for: why it said nothing
  std::vector<finding> findings;  ///< of all cases and the benchmark, each (rule, lines, variable) once, worst first
};

struct fast_result {
  status how = status::not_measured;
  std::string reason;
  bool measurable =
      true;  ///< false: no criterion of the lab can be measured on this backend, whatever the program does
  double score = 0;
  std::vector<evaluated_criterion> criteria;
  std::optional<case_outcome> benchmark;  ///< when it was run
  std::optional<timing_evidence> timing;  ///< when calls were timed
  std::map<std::string, double> phases;   ///< what took how many milliseconds, of all that leads to the times
  std::string favour;                     ///< how a doubt was decided, when one had to be
};

struct skipped_case {
  std::string name, reason;
};

/// Verdict and sentence of the whole lab.
struct lab_verdict {
  verdict judged = verdict::pass;
  std::string message;
};

class evaluation {
 public:
  /// Throws specification_error when the lab contradicts itself or the hidden cases do not fit it.
  evaluation(std::string lab_name, lab, judge_options);

  const std::vector<case_outcome>& cases();
  const std::vector<skipped_case>& skipped();
  const correct_result& correct();
  const safe_result& safe();
  const fast_result& fast();
  lab_verdict overall();
  /// The benchmark case of the emulator's size with counters and checks, whatever the other cases say: for the profile. On
  /// a GPU with the hardware's counters. `as_written`: as g++ compiles the kernels, whatever else runs them.
  case_outcome profiled(bool as_written = false);
  environment where();
  /// The first case, with its arguments and outputs kept.
  case_outcome first_case();
  /// Makes the folder of the case called `name` (of the first when it is empty; "benchmark" has the emulator's sizes) for
  /// a runner under a debugger. Throws usage_error, naming the cases there are.
  void prepare(const std::string& name, const std::filesystem::path& folder) const;

  [[nodiscard]] const std::string& lab_name() const { return lab_name_; }
  [[nodiscard]] const lab& specification() const { return lab_; }
  [[nodiscard]] const judge_options& options() const { return options_; }
  [[nodiscard]] const sizes& benchmark_of_backend() const;

 private:
  [[nodiscard]] case_run run_of(const test_case&) const;
  /// Finds out which threads race, and traces their blocks, but for the one that the page draws anyway.
  void trace_races(case_outcome&, case_run again);
  fast_result run_fast();
  void add_sanitizer_findings(const test_case&, case_outcome&);
  [[nodiscard]] bool takes_times() const {
    return options_.backend == backend_kind::cuda && lab_.kind == entry_kind::device;
  }
  void prefetch_benchmark();
  /// The outcomes in order, several running at a time on a GPU.
  void run_cases();
  [[nodiscard]] bool is_unsolved();
  /// The sentence for a case that decides.
  [[nodiscard]] std::string message_of(const case_outcome&);
  [[nodiscard]] test_case smallest_benchmark() const;

  std::string lab_name_;
  lab lab_;
  judge_options options_;
  case_runner judge_;
  std::future<std::unique_ptr<prepared_case>> benchmark_;  ///< made while the cases run
  std::optional<std::vector<case_outcome>> cases_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  double cases_milliseconds_ = 0;
  std::vector<skipped_case> skipped_;
  std::string unsanitized_;
  std::optional<correct_result> correct_;
  std::optional<safe_result> safe_;
  std::optional<fast_result> fast_;
};

}  // namespace simtlab
