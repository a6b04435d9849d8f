// Runs one case and judges it: the verdict of a case is decided here.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "judge/decide/comparison.h"
#include "judge/decide/explanation.h"
#include "judge/decide/verdict.h"
#include "judge/options.h"
#include "judge/stage/prepared_case.h"
#include "judge/stage/process.h"
#include "judge/stage/sandbox_status.h"
#include "protocol/result.h"
#include "spec/lab_core.h"

namespace simtlab {

struct case_outcome {
  std::string name;
  sizes of;
  bool hidden = false;
  verdict judged = verdict::internal_error;
  std::string message;              ///< for the student; empty when passed
  std::string summary;              ///< the message without its explanation
  std::vector<explanation> likely;  ///< what is likely wrong, the most telling first; the message has the first one
  std::string printed;              ///< what the submission printed, made printable and cut
  std::optional<mismatch> wrong;
  measurements measured;
  std::optional<environment> where;  ///< known once a runner answered
  bool untouched = false;            ///< it returned, and no output element was written
  double milliseconds = 0;           ///< wall clock of the runner
  std::string uncounted;             ///< on a GPU, when counters were asked for: why there are none
  bool had_turn = true;              ///< on a GPU: its turn came in time
  double waited_milliseconds = 0;    ///< for that turn
  // With case_run::keep: the first call's arguments as given, and its outputs, as far as it returned.
  std::vector<argument_value> given;
  round_values returned;
};

/// How a case is to be run.
struct case_run {
  bool counters = true;
  bool checks = true;
  std::optional<timing_request> timing = {};  ///< with two rounds
  unsigned rounds = 1;                        ///< calls, each with other values at other addresses
  phase of = phase::visible;
  bool keep = false;    ///< the arguments and outputs stay in the outcome
  bool compare = true;  ///< false: outputs are taken for right, because nothing depends on them
  /// Called when the program has ended, before its outputs are looked at: whether it has left a result.
  std::function<void(bool has_result)> after_process = {};
};

/// What the runner is asked; `values` give the arguments' sizes.
[[nodiscard]] case_request request_for(const std::string& lab_name, const lab&, const judge_options&, const test_case&,
                                       const case_run&, const std::vector<argument_value>& values);

class case_judge {
 public:
  /// `lab_name` is the folder's. All three must outlive the judge.
  case_judge(const std::string& lab_name, const lab&, const judge_options&);
  /// The case with its values, for `judge`.
  [[nodiscard]] prepared_case prepared(const test_case&, const case_run&) const;
  /// Never throws for what the submission does; specification_error and protocol_error are ours.
  [[nodiscard]] case_outcome judge(const test_case&, const case_run&) const;
  /// The same with values that were made before, by the same `case_run`.
  [[nodiscard]] case_outcome judge(const prepared_case&, const case_run&) const;
  /// One process for several cases, one after the other: the outcomes of those that passed, in the order of `cases`. What
  /// did not pass, or came after that, has none: it is for `judge`, in a process of its own, to say what became of it.
  [[nodiscard]] std::vector<std::optional<case_outcome>> judge_together(const std::vector<const test_case*>& cases,
                                                                        const std::vector<case_run>& runs) const;
  /// Makes the case's folder for a runner that somebody else starts: one call, without counters and checks.
  void prepare(const test_case&, phase, const std::filesystem::path& folder) const;

 private:
  /// How a runner ended, and what became of its turn on the GPU.
  struct ended_runner {
    process_outcome process;
    process_limits limits;
    std::optional<sandbox_status> sandboxed;
    bool had_turn = true;
    double waited_milliseconds = 0;
  };
  /// Starts the runner with `folder`, whose `result` is open as `result`.
  [[nodiscard]] ended_runner run_runner(const std::filesystem::path& folder, const folder_handle& result,
                                        const case_run&, std::size_t largest_output) const;

  const std::string& lab_name_;
  const lab& lab_;
  const judge_options& options_;
};

/// Printable text: control characters and invalid UTF-8 replaced, at most `greatest` bytes.
[[nodiscard]] std::string printable(std::string_view raw, std::size_t greatest);

}  // namespace simtlab
