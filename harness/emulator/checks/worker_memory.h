// The large tables of one worker's checks. They outlive a launch, so that a program of many small launches does not build
// them anew each time; `shared_state` lends them to the observers of a launch.
#pragma once

#include <cstdint>

#include "checks/access_pattern.h"
#include "checks/races/barrier_epochs/barrier_epochs.h"
#include "checks/races/shadow/interned_histories.h"
#include "checks/races/shadow/shadow_lines.h"
#include "checks/races/shadow/shadow_states.h"
#include "core/lazy_memory.h"

namespace simtlab::emulator {

struct worker_memory {
  explicit worker_memory(interned_histories& sets) : steps(sets) {}

  pattern_memory patterns;
  history_transition_cache steps;
  barrier_epochs order;
  shadow_slabs pieces;
  shadow_states shapes;
  shared_lines shared;
  global_lines global;
  lazy_memory<std::uint64_t> initialised_shared{shared_lines::window_bytes / 64};  ///< one bit a byte
};

}  // namespace simtlab::emulator
