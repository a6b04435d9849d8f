// What one request costs in constant memory: its distinct 4-byte words, since the constant cache delivers one word at a
// time and broadcasts it (CUDA C++ Programming Guide, "Constant Memory"). A model value: the hardware has no such counter.
#pragma once

#include "costs/packed_lanes.h"
#include "observers/observer.h"
#include "report/report.h"

namespace simtlab::emulator {

/// Adds `distinct_words` of one request.
void add_constant_words(const warp_request&, const packed_lanes&, request_counters&);

}  // namespace simtlab::emulator
