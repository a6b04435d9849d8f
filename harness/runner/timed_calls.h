// Calls of a device entry, timed one by one: each on other values at other addresses, after the caches were flushed, with
// the outputs of one call, drawn at random, kept for the judge.
#pragma once

#include "protocol/request.h"
#include "protocol/result.h"
#include "runner/backend.h"
#include "spec/runner_lab_spec.h"

namespace simtlab {

/// Device entries only, and only with `request.timing`. `first` and `second` are the two sets that the calls' values are
/// mixed from. The result has one round: the outputs of the call that `measured.timed->checked` names.
/// Throws cuda_failure when a call of ours fails before the entry has run: that is no fault of the submission.
[[nodiscard]] case_result time_device_entry(backend&, const lab&, const case_request&, const round_view& first,
                                            const round_view& second);

}  // namespace simtlab
