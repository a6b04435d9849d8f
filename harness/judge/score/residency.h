// How many warps of a launch fit on one multiprocessor at once, by CUDA's rules of occupancy (emulator/core/occupancy.h).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "protocol/measurement.h"

namespace simtlab {

namespace emulator {
struct block_needs;
struct gpu_model;
struct occupancy;
}  // namespace emulator

/// What a block of the launch takes: registers only where ptxas has said how many.
[[nodiscard]] emulator::block_needs needs_of(const launch_counters&);

/// "6 blocks fit on a multiprocessor of NVIDIA H200, 48 of 64 warps, limited by threads".
[[nodiscard]] std::string occupancy_words(const emulator::gpu_model&, const emulator::occupancy&);

struct residency {
  std::optional<double> warps;  ///< nothing: no launch touches global memory
  std::string reason;           ///< of the launch that has fewest, what limits it
};

/// Of all launches that touch global memory the fewest: no more blocks than the grid has, and in proportion to the warps that make
/// a request. `gpu` is a key of emulator/core/gpu_model.h.
[[nodiscard]] residency fewest_resident_warps(const measurements&, std::string_view gpu);

}  // namespace simtlab
