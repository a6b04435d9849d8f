// How much of the work that a criterion is about is there: kernels that ask for half of an argument's bytes earn half, and so does a
// use of atomic operations or shared memory by which half of the work is done (bypass.h).
#pragma once

#include "judge/score/argument_accesses.h"
#include "judge/score/array_flow.h"
#include "judge/score/criteria.h"
#include "judge/score/share_of_work.h"

namespace simtlab {

[[nodiscard]] share_of_work covered_work(const criterion&, const criterion_input&, const argument_accesses&,
                                         const array_flow&);

}  // namespace simtlab
