// How much of the work is done side by side: what one lane does alone, or one warp, costs a GPU as much as all of its lanes doing as
// much each. Averages over requests do not see it.
#pragma once

#include "judge/score/criteria.h"
#include "judge/score/share_of_work.h"

namespace simtlab {

[[nodiscard]] share_of_work side_by_side(const criterion_input&);

}  // namespace simtlab
