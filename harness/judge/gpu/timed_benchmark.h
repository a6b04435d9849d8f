// Takes a submission's time: baselines, submission, baselines again, alone on the GPU; all of it once more when the GPU
// drifted meanwhile. Baselines run in processes of their own that no submission is linked with or can reach.
#pragma once

#include <memory>

#include "judge/case_runner.h"
#include "judge/gpu/timing_evidence.h"

namespace simtlab {

struct timed_benchmark {
  case_outcome outcome;  ///< of the submission's calls; one of them, drawn at random, was checked
  timing_evidence evidence;
};

/// The benchmark's values, written to where runners find them. Of the grading's own time it takes none when it is done
/// while the cases run.
[[nodiscard]] std::unique_ptr<prepared_case> prepare_benchmark(const std::string& lab_name, const lab&,
                                                               const judge_options&, const case_runner&,
                                                               const test_case&);

/// `judge` is the submission's. Never throws for what the submission does.
[[nodiscard]] timed_benchmark time_benchmark(const std::string& lab_name, const lab&, const judge_options&,
                                             const case_runner& judge, const prepared_case&);

}  // namespace simtlab
