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

/// Rows of `bytes` each to fill, `pitch` bytes from one's begin to the next one's.
struct fill_shape {
  std::size_t bytes, rows = 1, pitch = 0;
};

/// Both return a CUDA error number, and take time in proportion to the rows.
error_code copy(device&, const api_caller&, void* to, const void* from, const copy_shape&, cudaMemcpyKind);
/// Also to and from arrays (array_api.cpp).
error_code copy_box(device&, const api_caller&, const cudaMemcpy3DParms&);
error_code fill(device&, const api_caller&, void* where, int value, const fill_shape&);

}  // namespace simtlab::emulator
