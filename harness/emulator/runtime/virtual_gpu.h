// The limits and properties of the GPU that the emulator pretends to be: those of compute capability 9.0
// (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability"), with the memory of the arena.
#pragma once

#include <cstddef>

namespace simtlab::emulator::virtual_gpu {

inline constexpr const char* name = "simtlab emulator";
inline constexpr int major = 9, minor = 0;
inline constexpr unsigned threads_per_block = 1024;
inline constexpr unsigned block_x = 1024, block_y = 1024, block_z = 64;
inline constexpr unsigned grid_x = 2147483647, grid_y = 65535, grid_z = 65535;
inline constexpr std::size_t shared_bytes_per_block = 48 * 1024;
inline constexpr std::size_t shared_bytes_per_block_optin = 227 * 1024;
inline constexpr std::size_t shared_bytes_per_multiprocessor = 228 * 1024;
inline constexpr int registers_per_block = 65536, registers_per_multiprocessor = 65536;
inline constexpr int threads_per_multiprocessor = 2048, blocks_per_multiprocessor = 32;
inline constexpr int multiprocessors = 132;
inline constexpr std::size_t constant_bytes = 64 * 1024;
inline constexpr int l2_bytes = 50 * 1024 * 1024;
inline constexpr int clock_khz = 1'980'000, memory_clock_khz = 2'619'000, memory_bus_bits = 5120;

}  // namespace simtlab::emulator::virtual_gpu
