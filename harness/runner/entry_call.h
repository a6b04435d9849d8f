// One call of the entry with given arguments, on either side of the bus.
#pragma once

#include "protocol/request.h"
#include "protocol/result.h"
#include "runner/backend.h"
#include "spec/runner_lab_spec.h"

namespace simtlab {

/// The arguments of one call.
struct entry_round {
  const case_request& request;
  const round_values& values;
  unsigned number = 0;  ///< from 0; the arguments' memory lies at other addresses in every round

  /// Bytes between the begin of an allocation and the argument inside of it, a multiple of `guard`. Memory that was freed
  /// after one round is often what the next one gets: the distance keeps the argument itself away from the old place.
  [[nodiscard]] std::size_t distance(std::size_t guard) const { return guard * (number + 1); }
  [[nodiscard]] bool has(const char* layer) const { return !request.without.contains(layer); }
};

/// Allocates, copies, calls, checks and reads back; afterwards nothing of ours is allocated on the device.
/// Throws cuda_failure when a call of ours fails before the entry has run: that is no fault of the submission.
[[nodiscard]] case_result call_device_entry(backend&, const lab&, const entry_round&);

/// Hands out host memory with guard bands; the entry does the rest.
[[nodiscard]] case_result call_host_entry(backend&, const lab&, const entry_round&);

}  // namespace simtlab
