// The GPUs that the emulator can pretend to be: what programs ask for with cudaGetDeviceProperties, and what occupancy is
// computed from. Counters do not depend on it. What fits was compared with GPUs: solutions/measured/occupancy-*.csv.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace simtlab::emulator {

/// Limits by compute capability: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability". The rest is
/// the product's data sheet.
struct gpu_model {
  std::string_view key;   ///< what `SIMTLAB_GPU` and `simtcc --gpu` take
  std::string_view name;  ///< cudaDeviceProp::name
  int major, minor;
  int multiprocessors;
  int threads_per_multiprocessor, blocks_per_multiprocessor;
  int registers_per_multiprocessor;
  std::size_t shared_per_multiprocessor;
  std::size_t shared_per_block;        ///< without cudaFuncSetAttribute
  std::size_t shared_per_block_optin;  ///< with it
  std::size_t shared_reserved;         ///< of each block, by the system
  int clock_khz, memory_clock_khz, memory_bus_bits, l2_bytes;

  /// Compute capability 6.0 and later: CUDA C++ Programming Guide, "Grid Synchronization".
  [[nodiscard]] constexpr bool has_cooperative_launches() const { return major >= 6; }
};

/// The first is the default.
[[nodiscard]] std::span<const gpu_model> gpu_models();
/// All keys, for messages: `h100, h200, a100`.
[[nodiscard]] std::string gpu_keys();
/// Null when there is none of that key.
[[nodiscard]] const gpu_model* find_gpu(std::string_view key);

}  // namespace simtlab::emulator
