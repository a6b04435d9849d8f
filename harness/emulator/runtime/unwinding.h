// Walks along the frames of host code as an exception does.
//
// An exception leaves frames without a return, so nobody compares their return addresses and their callers' registers with their
// records (frame_checks.cpp). So the functions that unwind come here first (boundary.cpp): all frames of the program's that an
// exception may leave are compared before it leaves one.
#pragma once

#include "core/types.h"

namespace simtlab::emulator {

/// Whether a function runs whose return address lies at `place`; true as well where that cannot be told.
[[nodiscard]] bool is_running(address place);

}  // namespace simtlab::emulator
