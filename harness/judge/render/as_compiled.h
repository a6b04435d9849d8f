// `make profile ENGINE=sass`: the kernels as they are written, which g++'s code follows access by access, beside the same kernels as
// nvcc compiled them, with a sentence for each line where the two differ.
#pragma once

#include <string>

#include "judge/decide/case_outcome.h"
#include "judge/render/source_text.h"
#include "judge/render/style.h"

namespace simtlab {

/// Both are the benchmark case. `width`: columns of the terminal.
[[nodiscard]] std::string as_compiled_text(const case_outcome& written, const case_outcome& compiled,
                                           const source_text&, const text_style&, std::size_t width);

}  // namespace simtlab
