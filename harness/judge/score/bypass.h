// Work that went past what a criterion is about. Atomic operations and shared memory earn points only where they are used, and a
// use that nobody needs costs nothing. So the points are for the part of the work that is not done without.
#pragma once

#include <string_view>
#include <vector>

#include "judge/score/array_flow.h"
#include "judge/score/criteria.h"

namespace simtlab {

/// Of the bytes that `result` is made from, the share that kernels reduce by plain stores alone: they read more than they store,
/// and what they store gets into the result without an atomic operation at which values meet. Where a launch makes no more
/// atomic operations than the result has elements, and reads no more, nothing meets; nor in memory of the program's own of which
/// as much is read as was added to it.
[[nodiscard]] double reduced_without_atomics(const measurements&, const std::vector<argument_size>&,
                                             std::string_view result, const array_flow&);

/// Sectors that copies and launches without shared memory ask for beyond the fewest.
[[nodiscard]] double sectors_wasted_without_shared(const measurements&);

}  // namespace simtlab
