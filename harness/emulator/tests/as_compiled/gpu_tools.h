// Whether the real nvcc and nvdisasm are there; where one is missing a test that includes this says so and is skipped.
#pragma once

#include <cstdio>
#include <cstdlib>

#include "driver/gpu_toolchain.h"
#include "driver/machine_fault.h"

namespace simtlab::emulator {

/// Before the first test: whether the tools are there.
inline const bool has_tools = [] {
  try {
    static_cast<void>(gpu_toolchain::find(installation::read(SIMTLAB_SIMTCC_CONF)));
    return true;
  } catch (const machine_fault& missing) {
    std::printf("SKIP: %s\n", missing.what());
    std::exit(77);  // harness/cmake/AddTest.cmake
  }
}();

}  // namespace simtlab::emulator
