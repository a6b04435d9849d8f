// The facts document: facts.schema.json describes it.
#pragma once

#include "judge/examination.h"
#include "protocol/bounded_json.h"

namespace simtlab {

inline constexpr int facts_version = 1;

/// Runs whatever has not been run yet.
[[nodiscard]] json facts_of(examination&);

}  // namespace simtlab
