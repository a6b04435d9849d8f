// What a submission's time is compared with, measured in programs of ours alone.
//
// Results are kept for the length of a drift window: what was measured after one submission is what was measured before the
// next, and several together are surer than each. Whether the GPU has changed its speed since is seen from what is measured
// after every submission, the copy at least. They are kept in the grader's folder for the session (`--timing-session`), which
// no submission sees, or in one of our own for as long as this judge lives.
#pragma once

#include <chrono>
#include <filesystem>
#include <set>
#include <vector>

#include "judge/case_runner.h"
#include "judge/gpu/timing_evidence.h"

namespace simtlab {

/// How long a baseline's times serve, unless drift is seen.
inline constexpr std::chrono::seconds drift_window{600};

class baseline_session {
 public:
  /// All must outlive it. `timed` is the submission's: the lab's own kernels run on the same values.
  baseline_session(const std::string& lab_name, const lab&, const judge_options&, const prepared_case& timed);

  /// Fills in what was there before the submission; `drifted`: what is not measured after every submission is now.
  void before(timing_evidence&, bool drifted);
  /// Measures what was there after it.
  void after(timing_evidence&);

 private:
  struct kept_result {
    measurements measured;
    std::chrono::seconds age{0};
  };
  /// Those of the window, the latest first.
  [[nodiscard]] std::vector<kept_result> kept(const std::string& name) const;
  static void add_all(timing_evidence&, const std::string& name, const std::vector<kept_result>&);
  [[nodiscard]] std::vector<std::filesystem::path> results_of(const std::string& name) const;
  void keep(const std::string& name, const measurements&) const;
  [[nodiscard]] std::optional<measurements> measure(const std::string& name, std::string& problem) const;
  [[nodiscard]] std::optional<measurements> time_library(const std::string& name, std::string& problem) const;
  [[nodiscard]] std::optional<measurements> time_reference(const std::string& name, std::string& problem) const;
  [[nodiscard]] std::filesystem::path slot(const std::string& name) const;

  const std::string& lab_name_;
  const lab& lab_;
  const judge_options& options_;
  const prepared_case& timed_;
  case_request request_;
  std::set<std::string> libraries_, references_;  ///< what is measured: libraries' kernels, and the lab's own
  std::unique_ptr<scratch_folder> own_;
  std::filesystem::path folder_;
};

/// How a benchmark is run for its times. More calls are made while one of `thresholds`, in milliseconds, lies inside the
/// interval of their median.
[[nodiscard]] case_run timed_run(std::vector<double> thresholds = {});

}  // namespace simtlab
