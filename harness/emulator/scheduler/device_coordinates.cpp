#include "scheduler/device_coordinates.h"

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

}  // namespace simtlab::emulator::device_coordinates
