// `make profile`: the student's own source with what each line costs.
#pragma once

#include <string>

#include "judge/decide/case_outcome.h"
#include "judge/render/source_text.h"
#include "judge/render/style.h"

namespace simtlab {

/// `run` is the benchmark case with counters and checks. `width`: columns of the terminal.
[[nodiscard]] std::string profile_text(const case_outcome& run, const source_text&, const text_style&,
                                       std::size_t width);

}  // namespace simtlab
