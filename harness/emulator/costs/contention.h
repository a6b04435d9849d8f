// How much an atomic's lanes get in each other's way: the highest number of lanes of the request at one address. The
// hardware serves those one after the other (CUDA C++ Programming Guide, "Atomic Functions").
#pragma once

#include "costs/packed_lanes.h"
#include "observers/observer.h"
#include "report/report.h"

namespace simtlab::emulator {

/// Adds `same_address_lanes` of one atomic request.
void add_contention(const packed_lanes&, request_counters&);

}  // namespace simtlab::emulator
