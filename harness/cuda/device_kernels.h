// Kernels of our own, for what surrounds timed calls. Plain functions, so that only device_kernels.cu is CUDA.
// Everything runs in the legacy default stream. Throw cuda_failure.
#pragma once

#include <cstddef>
#include <cstdint>

namespace simtlab {

/// `mix_values` (timing/fresh_values.h) over arrays in device memory.
void mix_on_device(void* to, const void* first, const void* second, std::size_t elements, std::size_t element_bytes,
                   std::uint64_t key, std::uint64_t argument);

/// Fills `bytes` with numbers: single precision in [-1, 1), or integers below `bound` of 1, 4 or 8 bytes.
void fill_with_floats(void* to, std::size_t elements, std::uint64_t key);
void fill_with_integers(void* to, std::size_t elements, std::size_t element_bytes, std::uint64_t bound,
                        std::uint64_t key);

/// Sixteen bytes a thread; `bytes` must be a multiple of 16.
void copy_on_device(void* to, const void* from, std::size_t bytes);
/// Reads every byte and keeps nothing. `sink` holds 4 bytes.
void read_on_device(const void* from, std::size_t bytes, void* sink);
void write_on_device(void* to, std::size_t bytes, int value);
/// `rounds` × 64 fused multiply-adds in each of `threads` threads, from registers alone. `sink` holds 4 bytes.
void multiply_add_on_device(std::size_t threads, int rounds, void* sink);

/// Blocks of so many threads that do nothing for so many cycles.
void spin_on_device(unsigned blocks, unsigned threads, long long cycles);

}  // namespace simtlab
