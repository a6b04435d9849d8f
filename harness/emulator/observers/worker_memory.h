// The large tables of one worker's checks. They outlive a launch, so that a program of many small launches does not build
// them anew each time; `shared_state` lends them to the observers of a launch.
#pragma once

#include <cstdint>

#include "observers/access_pattern.h"
#include "observers/access_sets.h"
#include "observers/cell_shapes.h"
#include "observers/lazy_memory.h"
#include "observers/thread_lines.h"
#include "observers/warp_order.h"

namespace simtlab::emulator {

struct worker_memory {
  explicit worker_memory(access_sets& sets) : steps(sets) {}

  pattern_memory patterns;
  step_cache steps;
  warp_order order;
  line_pieces pieces;
  cell_shapes shapes;
  shared_lines shared;
  global_lines global;
  lazy_memory<std::uint64_t> initialised_shared{shared_lines::window_bytes / 64};  ///< one bit a byte
};

}  // namespace simtlab::emulator
