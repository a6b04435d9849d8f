// threadIdx, blockIdx, blockDim and gridDim as device code reads them: thread-local objects of the worker's thread.
#pragma once

#include "core/types.h"

// Three consecutive unsigned integers each: the layout of CUDA's uint3 and dim3, which student code sees them as.
extern "C" {
extern __thread simtlab::emulator::coordinates simtlab_thread_index;
extern __thread simtlab::emulator::coordinates simtlab_block_index;
extern __thread simtlab::emulator::coordinates simtlab_block_dim;
extern __thread simtlab::emulator::coordinates simtlab_grid_dim;
}

namespace simtlab::emulator::device_coordinates {

void set_launch(const extents& grid, const extents& block);
inline void set_block(const coordinates& c) { simtlab_block_index = c; }
inline void set_thread(const coordinates& c) { simtlab_thread_index = c; }

}  // namespace simtlab::emulator::device_coordinates
