// Which GPU this is.
#pragma once

#include <string>

#include "protocol/measurement.h"

namespace simtlab {

/// Throws cuda_failure, or std::runtime_error with what to do about it where no GPU can be used.
[[nodiscard]] gpu_description describe_gpu();
[[nodiscard]] std::string cuda_compiler_text();

}  // namespace simtlab
