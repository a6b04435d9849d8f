// In what pieces a GPU's memory serves a request: the emulator counts by them (costs/), the judge draws by them.
// Sources: CUDA C++ Programming Guide, "Device Memory Accesses", "Shared Memory".
#pragma once

namespace simtlab::emulator {

/// Of global memory.
inline constexpr unsigned sector_bytes = 32;
inline constexpr unsigned line_bytes = 128;

/// Of shared memory.
inline constexpr unsigned bank_count = 32;
inline constexpr unsigned bank_bytes = 4;

}  // namespace simtlab::emulator
