// One thread of the running block.
#pragma once

#include <cstdint>

#include "checks/races/cas_probe_reads.h"
#include "core/types.h"
#include "observers/observer.h"
#include "scheduler/fiber.h"
#include "scheduler/spin_detector.h"

namespace simtlab::emulator {

enum class primitive : std::uint8_t { syncwarp, shuffle, vote, match, reduce, together, activemask };

/// What a lane asked of its warp, and the answer.
struct primitive_call {
  primitive what = primitive::syncwarp;
  bool of_group = false;  ///< of a cooperative group, whose mask the program did not write
  unsigned kind = 0;      ///< of shuffle, vote, match or reduce, as in emulator_entry.h
  lane_mask mask = 0;     ///< as given; the scheduler cuts it to the lanes the warp has
  std::uint64_t value = 0;
  unsigned source = 0;  ///< shuffles: lane, delta or xor mask
  unsigned width = warp_size;
  std::uint64_t result = 0;
  bool all_equal = false;  ///< match all
  /// Together: what is done once with the values of all lanes, where all have come; may be null.
  void (*work)(void* const* values) = nullptr;
};

/// What every turn touches comes first, in one line of the cache.
struct alignas(64) lane {
  fiber execution;
  coordinates thread;
  address frame = 0;           ///< of what calls the kernel: what lies above is the emulator's
  site where = 0;              ///< the call it waits at
  std::uint64_t events = 0;    ///< since the launch began
  std::size_t open_bytes = 0;  ///< at its stack's top: a power of two
  std::uint8_t depth = 0;      ///< calls below the kernel when it was suspended
  bool predicate = false;      ///< of __syncthreads_count/and/or
  primitive_call call;
  spin_detector watch;
  address looks_at = 0;  ///< when spinning: where
  std::uint32_t looks_at_width = 4;
  pending_probe probe;
};

}  // namespace simtlab::emulator
