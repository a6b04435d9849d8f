// What a program's cudaMemPool_t points to, and the allocation that goes by a pool or without one.
//
// A pool counts what it has in use. Memory that is freed stays reserved until the host waits for the device: then a pool gives back
// what exceeds its release threshold, and cudaMemPoolTrimTo gives it back at once (CUDA C++ Programming Guide, "Stream Ordered
// Memory Allocator"). What is reserved goes by pieces of 32 MiB, as on an H200. The counts decide nothing: every allocation comes from
// the device's memory, whatever its pool, and no address is used again.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "include/driver_types.h"

struct CUmemPoolHandle_st {
  std::array<std::uint64_t, 5> values{0, 1, 1, 1};  ///< by cudaMemPoolAttr: what the program set, and CUDA's defaults

  // Bytes now, and at most since the program set the figure to 0.
  std::uint64_t used = 0, most_used = 0, reserved = 0, most_reserved = 0;

  static constexpr std::uint64_t piece = std::uint64_t{32} << 20;
  [[nodiscard]] std::uint64_t pieces_in_use() const { return (used + piece - 1) / piece * piece; }

  void takes(std::uint64_t bytes) {
    used += bytes;
    reserved = std::max(reserved, pieces_in_use());
    most_used = std::max(most_used, used);
    most_reserved = std::max(most_reserved, reserved);
  }
  void gets_back(std::uint64_t bytes) { used -= bytes; }
  /// Nothing more than so many bytes stays reserved, but for what is in use.
  void keep(std::uint64_t bytes) {
    if (reserved > bytes) reserved = std::max(pieces_in_use(), (bytes + piece - 1) / piece * piece);
  }
};

namespace simtlab::emulator {

class api_caller;

/// What cudaMallocAsync does: with this pool, or if that is null with the device's own; with none, what cudaMalloc does.
cudaError_t allocate_in(const api_caller&, void** where, std::size_t bytes, std::optional<CUmemPoolHandle_st*>,
                        cudaStream_t);

}  // namespace simtlab::emulator
