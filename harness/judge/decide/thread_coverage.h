// Elements that nobody wrote: was there a thread for them, and was a result in device memory copied back?
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "judge/decide/explanation.h"
#include "judge/decide/mismatch_pattern.h"
#include "protocol/measurement.h"
#include "spec/lab_core.h"

namespace simtlab {

/// "3 x 5 blocks of 16 x 16 threads", "1 block of 256 threads"
[[nodiscard]] std::string configuration_text(const launch_counters&);

/// "k ran with 1 block of 256 threads".
[[nodiscard]] std::string launch_text(const launch_counters&);

/// Blocks so small that the two values of a launch are likely to be swapped; nothing otherwise.
[[nodiscard]] std::optional<explanation> swapped_launch(const std::vector<launch_counters>&);

/// A kernel with barriers and without shared memory has probably forgotten `__shared__`; empty: none has.
[[nodiscard]] std::string unshared_arrays(const std::vector<launch_counters>&);

/// What the launches have to do with the unwritten elements of the output, in sentences; empty when every element was written,
/// or when there were threads enough.
[[nodiscard]] std::vector<explanation> missing_threads(const output_values&, const std::vector<launch_counters>&);

/// For an entry that copies for itself: what is missing on the way of a result from device to host memory; empty when as
/// many bytes came back as the output has.
[[nodiscard]] std::string missing_copy(const output_values&, std::size_t element_bytes, const measurements&);

/// Inputs that were read less often than they have elements, or more often although each is wanted once (the model counts an
/// operation for each). Empty when neither is so, or nothing was counted.
[[nodiscard]] std::string wrong_share_read(const lab&, const test_case&, const std::vector<argument_value>&,
                                           const std::vector<launch_counters>&);

}  // namespace simtlab
