// What one request costs in shared memory: wavefronts, the passes through 32 banks of 4 bytes.
//
// Rule (fitted on an H200, tests/golden/h200/access_patterns.csv, exact on all its patterns): a group of lanes costs the
// highest number of distinct words that one bank has to deliver. The group is the warp for up to 4 bytes a lane. A store
// of 8 bytes goes by half-warps, one of 16 by quarter-warps. A load of 8 bytes is a single wavefront when the whole warp
// is free of conflicts and every active lane asks for the address of its xor-1 neighbour (or every one for that of its
// xor-2 neighbour) or has no such active neighbour, otherwise it goes by half-warps; a load of 16 bytes does the same
// with half- and quarter-warps. An atomic addition of the constant one costs as a store does: lanes of one word are counted
// and added at once. Any other atomic operation takes its lanes in turns, so that a group costs the highest number of lanes
// in one bank, twice that for a swap. What has no instruction is a loop of swaps, in which each bank of each group lets its
// lowest lane through, but not two lanes of one word: a round costs two wavefronts for each group that still has lanes.
// An operation by an address of any space (ATOM) takes a wavefront (a swap two) for each group of lanes none of which addresses
// shared memory, and for each whose operation shared memory has not: `generic_wavefronts`, and atomic_kind::probe.
// (Measured: solutions/measured/h200.csv, shared_atomics; docs/internals/hardware.md has the table.) A wider access is a row
// of the widest pieces that divide it.
#pragma once

#include "core/memory_geometry.h"
#include "costs/packed_lanes.h"
#include "observers/observer.h"
#include "report/report.h"

namespace simtlab::emulator {

/// Of each turn that lanes take: a swap reads first.
[[nodiscard]] constexpr unsigned wavefronts_of_atomic(atomic_kind k) {
  return k == atomic_kind::swap || k == atomic_kind::loop || k == atomic_kind::spin ? 2 : 1;
}

/// Adds `wavefronts` and `ideal_wavefronts` (the groups that have an active lane: what is left without conflicts) of
/// one request, and sets `largest_wavefronts`.
void add_bank_conflicts(const warp_request&, const packed_lanes&, request_counters&);

}  // namespace simtlab::emulator
