// The emulator's error numbers are CUDA's; this gives them CUDA's type back.
#pragma once

#include "include/cuda_runtime.h"
#include "runtime/device.h"

namespace simtlab::emulator {

inline cudaError_t error(error_code e) { return static_cast<cudaError_t>(e); }

}  // namespace simtlab::emulator
