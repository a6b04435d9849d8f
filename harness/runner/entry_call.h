// One call of the entry with given arguments, on either side of the bus.
#pragma once

#include "protocol/request.h"
#include "protocol/result.h"
#include "runner/backend.h"
#include "spec/runner_lab_spec.h"

namespace simtlab {

/// Allocates, copies, calls, checks and reads back; afterwards nothing of ours is allocated on the device.
/// Throws cuda_failure when a call of ours fails before the entry has run: that is no fault of the submission.
[[nodiscard]] case_result call_device_entry(backend&, const lab&, received_request);

/// Hands out host memory with guard bands; the entry does the rest.
[[nodiscard]] case_result call_host_entry(backend&, const lab&, received_request);

}  // namespace simtlab
