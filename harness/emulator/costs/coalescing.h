// What one request costs in global memory: how many 32-byte sectors and 128-byte lines its lanes touch.
//
// Rule: a warp's load or store touches every distinct sector of the bytes of its active lanes, once. An atomic's lanes
// that share an address are served one after the other, those of one sector together: the sum over sectors of the highest
// number of lanes at one address. Sources: the CUDA C++ Programming Guide, "Device Memory Accesses"; the atomics' rule
// is fitted on an H200 (tests/golden/h200/access_patterns.csv) and exact on 61 of its 62 patterns.
#pragma once

#include "core/memory_geometry.h"
#include "costs/packed_lanes.h"
#include "observers/observer.h"
#include "report/report.h"

namespace simtlab::emulator {

/// Adds `sectors`, `ideal_sectors` (the distinct bytes asked for, packed) and `lines` of one request.
void add_coalescing(const warp_request&, const packed_lanes&, request_counters&);

}  // namespace simtlab::emulator
