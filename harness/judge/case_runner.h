// One case, from its values to its outcome: staged, run, and decided.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "judge/decide/case_outcome.h"
#include "judge/options.h"
#include "judge/stage/case_run.h"
#include "judge/stage/prepared_case.h"
#include "spec/lab_core.h"

namespace simtlab {

class case_runner {
 public:
  /// `lab_name` is the folder's. All three must outlive the judge.
  case_runner(const std::string& lab_name, const lab&, const judge_options&);
  /// The case with its values, for `judge`.
  [[nodiscard]] prepared_case prepared(const test_case&, const case_run&) const;
  /// Never throws for what the submission does; specification_error and protocol_error are ours.
  [[nodiscard]] case_outcome judge(const test_case&, const case_run&) const;
  /// The same with values that were made before, by the same `case_run`.
  [[nodiscard]] case_outcome judge(const prepared_case&, const case_run&) const;
  /// One program for several cases, one after the other: the outcomes of those that it decides, in the order of `cases`.
  /// On a GPU they share a process, and those that passed are decided. On the emulator each has a process of its own, and
  /// those whose entry came to its end are. What became of the others is for `judge` to say, alone and within its limits.
  [[nodiscard]] std::vector<std::optional<case_outcome>> judge_batch(const std::vector<const test_case*>& cases,
                                                                     const std::vector<case_run>& runs) const;
  /// Makes the case's folder for a runner that somebody else starts: one call, without counters and checks.
  void prepare(const test_case&, case_kind, const std::filesystem::path& folder) const;

 private:
  /// `printed`: by all calls of the entry.
  [[nodiscard]] case_outcome judge(const prepared_case&, const case_run&, std::string& printed) const;

  const std::string& lab_name_;
  const lab& lab_;
  const judge_options& options_;
};

}  // namespace simtlab
