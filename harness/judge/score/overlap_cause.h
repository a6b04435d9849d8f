// Why copies in streams have nothing beside them: one of the causes that the order and the times of the operations show.
#pragma once

#include <string>
#include <vector>

#include "protocol/measurement.h"

namespace simtlab {

/// A sentence or two that name the cause and what to do; empty where the operations show none. Asked, in this order: no stream
/// that the program created, host memory that is not page-locked, one stream for all, launches in the default stream, a host that
/// waits before it goes on to the next stream, too few pieces.
[[nodiscard]] std::string overlap_cause(const std::vector<timed_operation>&);

}  // namespace simtlab
