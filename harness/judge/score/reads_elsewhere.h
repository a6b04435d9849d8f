// How much is read of arguments by other ways than constant memory.
#pragma once

#include <set>
#include <string>

#include "judge/score/array_flow.h"
#include "judge/score/criteria.h"

namespace simtlab {

/// Elements that lanes read of these arguments and of what holds their bytes, but from constant memory; fetches of textures are
/// among them. Free are one copy of each argument, and results that are brought back.
[[nodiscard]] double read_elsewhere(const criterion_input&, const array_flow&, const std::set<std::string>& names);

}  // namespace simtlab
