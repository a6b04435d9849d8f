// All rounds of a case: the entry is called again with other values at other addresses.
#pragma once

#include "protocol/result.h"
#include "runner/backend.h"
#include "runner/case_files.h"
#include "spec/runner_lab_spec.h"

namespace simtlab {

/// Ends with the first round that does not return. Launches, counters and samples are the first round's; findings are
/// those of all rounds, each place once. The values of a round are read when its turn has come.
/// With `timing` in the request a device entry's calls are timed instead (timed_calls.h).
/// Throws cuda_failure and protocol_error: neither is a fault of the submission.
[[nodiscard]] case_result call_in_rounds(backend&, const lab&, const case_files&);

}  // namespace simtlab
