// How a case becomes a verdict: the process first (did it end as it should?), then the runner's result (did the entry
// return?), then the outputs (are they right?), then the findings (was it safe?). The first "no" decides.
#pragma once

#include <vector>

#include "judge/decide/case_outcome.h"
#include "judge/options.h"
#include "judge/stage/case_run.h"
#include "judge/stage/prepared_case.h"
#include "judge/stage/process.h"
#include "protocol/protocol_error.h"
#include "protocol/result.h"

namespace simtlab {

/// What is judged: a case of a lab, and how it was run.
struct judged_run {
  const lab& of;
  const judge_options& options;
  const test_case& judged;
  const case_run& run;
};

/// Whether the process gives the verdict already, which is then in the outcome.
[[nodiscard]] bool decide_by_process(const judged_run&, const process_outcome&, const process_limits&, bool started,
                                     bool has_result, case_outcome&);
/// `rounds` are the values that each call was given. Throws specification_error.
void decide_by_result(const judged_run&, const case_result&, const std::vector<round_arguments>& rounds, case_outcome&);
/// The process ended as it should, and what it left is no result.
void decide_by_broken_result(const protocol_error&, case_outcome&);
/// A program that did not end in time has told what it had found when it was asked to.
void add_last_words(const case_result&, case_outcome&);

}  // namespace simtlab
