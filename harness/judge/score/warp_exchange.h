// How warps hand values on: by shuffles and shared memory, or through device memory, which costs the same and earns nothing.
#pragma once

#include <optional>

#include "judge/score/argument_accesses.h"
#include "judge/score/array_flow.h"
#include "judge/score/criteria.h"
#include "judge/score/share_of_work.h"

namespace simtlab {

/// Passes of a warp that reads the argument. A warp counts when it reads 32 elements of its own; lanes that idle in a request for
/// device memory cost like passes through shared memory, for they are what a kernel pays that leaves the work to one lane. The
/// launches that pay most count until they have read the argument once, so that none thins another's passes. Nothing where no
/// launch that reads the argument has a shuffle.
[[nodiscard]] std::optional<double> passes_of_a_warp(const criterion_input&, const argument_accesses&,
                                                     const array_flow&);

/// Of the values that lanes hand on to others, the share that goes through shuffles and shared memory. A vote that nobody needs is
/// no use where each lane leaves its value in device memory. Copies hand on nothing, and what is as large as the argument may be
/// its copy or a result: passes_of_a_warp counts that.
[[nodiscard]] share_of_work handed_on_in_warps(const criterion_input&, const argument_accesses&);

}  // namespace simtlab
