// Copies between host and device, and fills, for every function of the runtime API that makes one: the pointers are looked at
// first, and what is wrong with them is reported at the call.
#pragma once

#include <cstddef>

#include "include/driver_types.h"
#include "runtime/api_caller.h"
#include "runtime/device.h"

namespace simtlab::emulator {

/// A copy of `rows` rows of `bytes` each.
struct copy_shape {
  std::size_t bytes, rows = 1, to_pitch = 0, from_pitch = 0;
};

/// Returns a CUDA error number.
error_code copy(device&, const api_caller&, void* to, const void* from, const copy_shape&, cudaMemcpyKind);
error_code fill(device&, const api_caller&, void* where, int value, std::size_t bytes);

}  // namespace simtlab::emulator
