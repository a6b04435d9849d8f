// `make profile HTML=1`: the source with what each line costs, and its requests as pictures, in one file that needs nothing else.
#pragma once

#include <string>

#include "judge/decide/case_outcome.h"
#include "judge/render/source_text.h"

namespace simtlab {

/// `run` is the benchmark case with counters, checks and examples. Keys: c goes to the next line that costs more than it must, the
/// dearest first, n to the next finding; with Shift they go back. Figures say whether they are exact (fidelity.h).
[[nodiscard]] std::string profile_page(const std::string& lab, const case_outcome& run, const source_text&);

}  // namespace simtlab
