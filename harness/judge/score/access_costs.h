// What the accesses of one line cost beyond the fewest, in sectors and in lanes that wait.
#pragma once

#include "protocol/measurement.h"

namespace simtlab {

inline constexpr double sector = 32;      ///< bytes
inline constexpr double wavefront = 128;  ///< bytes: a word for each lane

/// A copy inside the device, as if a kernel had made it with full requests: its reads, or its stores.
[[nodiscard]] access_counters reads_of(const device_copies&);
[[nodiscard]] access_counters stores_of(const device_copies&);

/// A texture fetch's sectors are those of its texels in rows, and no fewer than its bytes.
[[nodiscard]] bool has_sectors(const access_counters&);
[[nodiscard]] double moved_bytes(const access_counters&);
[[nodiscard]] double wasted_sectors(const access_counters&);
/// Sectors, or passes through constant memory: each word beyond a request's first is a pass of its own, as if it were a sector.
[[nodiscard]] double wasted_passes(const access_counters&);
/// Without those wasted, and no fewer than the bytes fill.
[[nodiscard]] double sectors_asked_for(const access_counters&);

/// Lanes that store to one address do the work of one. Their fewest sectors hold no more elements than addresses.
[[nodiscard]] double working_lanes(const access_counters&);
[[nodiscard]] double idle_lanes(const access_counters&);
/// Lanes of an atomic operation that meet at one address take turns, and in each turn the others wait.
[[nodiscard]] double waiting_lanes(const access_counters&);

}  // namespace simtlab
