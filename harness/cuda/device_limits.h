// The ceilings that times are held against, measured by the same timer as every call.
#pragma once

#include "cuda/cache_flush.h"
#include "protocol/measurement.h"

namespace simtlab {

/// About 30 ms. Throws cuda_failure.
[[nodiscard]] device_limits measure_device_limits(cache_flush&);

}  // namespace simtlab
