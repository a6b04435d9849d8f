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
/// Of a texture's memory and, in linear memory, of its rows, in bytes; what current GPUs report.
inline constexpr unsigned texture_alignment = 512, texture_pitch_alignment = 32;
/// In texels: linear memory; rows with a pitch; arrays.
inline constexpr int texture_linear_width = 1 << 28;
inline constexpr int texture_pitched_width = 131072, texture_pitched_height = 65000, texture_pitch = 2097120;
inline constexpr int array_width = 131072, array_height = 65536, array_3d = 16384;
inline constexpr int layered_width = 32768, array_layers = 2048, cubemap_faces = 2046;

}  // namespace simtlab::emulator::virtual_gpu
