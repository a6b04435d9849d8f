#include "scheduler/device_coordinates.h"

// Three consecutive unsigned integers each: the layout of CUDA's uint3 and dim3, which student code sees them as.
extern "C" {
__thread simtlab::emulator::coordinates simtlab_thread_index;
__thread simtlab::emulator::coordinates simtlab_block_index;
__thread simtlab::emulator::coordinates simtlab_block_dim;
__thread simtlab::emulator::coordinates simtlab_grid_dim;
}

namespace simtlab::emulator::device_coordinates {

void set_launch(const extents& grid, const extents& block) {
  simtlab_grid_dim = {grid.x, grid.y, grid.z};
  simtlab_block_dim = {block.x, block.y, block.z};
}
void set_block(const coordinates& c) { simtlab_block_index = c; }
void set_thread(const coordinates& c) { simtlab_thread_index = c; }

}  // namespace simtlab::emulator::device_coordinates
