// Takes a submission's time: baselines, submission, baselines again, alone on the GPU; all of it once more when the GPU
// drifted meanwhile. Baselines run in processes of their own that no submission is linked with or can reach.
#pragma once

#include "judge/case_judgement.h"
#include "judge/timing_evidence.h"

namespace simtlab {

struct timed_benchmark {
  case_outcome outcome;  ///< of the submission's calls; one of them, drawn at random, was checked
  timing_evidence evidence;
};

/// `judge` is the submission's. Never throws for what the submission does.
[[nodiscard]] timed_benchmark time_benchmark(const std::string& lab_name, const lab&, const judge_options&,
                                             const case_judge& judge, const test_case&);

}  // namespace simtlab
