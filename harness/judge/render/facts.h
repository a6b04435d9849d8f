// The facts document: facts.schema.json describes it.
#pragma once

#include "judge/evaluation.h"
#include "protocol/bounded_json.h"

namespace simtlab {

inline constexpr int facts_version = 2;

/// Runs whatever has not been run yet.
[[nodiscard]] json facts_of(evaluation&);

/// The benchmark's counters alone, at the emulator's size whatever the backend: {"format": "simtlab-counters", "version",
/// "lab", "backend", "problem", "launches" as in the facts}. `problem` says why there are none.
[[nodiscard]] json counters_of(evaluation&);

}  // namespace simtlab
