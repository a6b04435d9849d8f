// `make profile HTML=1`: the source with what each line costs, and its requests as pictures, in one file that needs nothing else.
#pragma once

#include <string>

#include "judge/decide/case_outcome.h"
#include "judge/render/source_text.h"

namespace simtlab {

/// `run` is the benchmark case with counters, checks and examples. Keys: n and p go to the next and to the previous line that costs
/// more than it must, f to the next finding.
[[nodiscard]] std::string profile_page(const std::string& lab, const case_outcome& run, const source_text&);

}  // namespace simtlab
