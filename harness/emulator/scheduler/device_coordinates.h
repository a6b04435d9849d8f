// threadIdx, blockIdx, blockDim and gridDim as device code reads them: thread-local objects of the worker's thread.
#pragma once

#include "core/types.h"

namespace simtlab::emulator::device_coordinates {

void set_launch(const extents& grid, const extents& block);
void set_block(const coordinates&);
void set_thread(const coordinates&);

}  // namespace simtlab::emulator::device_coordinates
