// What the warps of a launch pay to hand values on through shared memory.
//
// Threads that have several items each like to load them side by side and to work on them in a row. An array of shared memory
// through which all items of a block go once for that, and back, is no way of handing sums on, and costs its conflicts alone.
#pragma once

#include "protocol/measurement.h"

namespace simtlab {

inline constexpr double directions = 2;  ///< into shared memory, and out of it

/// An atomic is served lane by lane where lanes meet at one address.
[[nodiscard]] double shared_passes(const access_counters&);

/// Wavefronts of the launch, which reads `items` elements of what it is about. Free are the fewest wavefronts of arrays that
/// items only go through: as much is read there as the launch has items, and no more than was stored. The threads
/// have two items each at least, their warps exchange values by primitives, and few barriers stand in between, so that this is
/// no tree of steps in shared memory.
[[nodiscard]] double shared_passes(const launch_counters&, double items);

}  // namespace simtlab
