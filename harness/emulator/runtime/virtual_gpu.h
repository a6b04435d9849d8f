// The limits of the GPU that the emulator pretends to be that all of its models (core/gpu_model.h) share
// (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability").
#pragma once

#include <cstddef>

namespace simtlab::emulator::virtual_gpu {

inline constexpr unsigned threads_per_block = 1024;
inline constexpr unsigned block_x = 1024, block_y = 1024, block_z = 64;
inline constexpr unsigned grid_x = 2147483647, grid_y = 65535, grid_z = 65535;
inline constexpr int registers_per_block = 65536;
inline constexpr std::size_t constant_bytes = 64 * 1024;

}  // namespace simtlab::emulator::virtual_gpu
