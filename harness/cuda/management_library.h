// Clocks, temperature and neighbours of the GPU, from NVIDIA's management library. It comes with the driver and is opened
// at run time, so that nothing needs it.
#pragma once

#include <optional>

#include "protocol/measurement.h"

namespace simtlab {

/// Of the current device; nothing where the library or an answer of it is missing.
[[nodiscard]] std::optional<gpu_state> ask_management_library();

/// Why clocks are held down, in words; from the bits of nvmlDeviceGetCurrentClocksEventReasons.
[[nodiscard]] std::vector<std::string> throttle_reasons(unsigned long long bits);

}  // namespace simtlab
