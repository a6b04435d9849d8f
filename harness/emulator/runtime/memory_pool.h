// What a program's cudaMemPool_t points to, and the allocation that goes by a pool or without one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "include/driver_types.h"
struct CUmemPoolHandle_st {
  std::array<std::uint64_t, 9> values{0, 1, 1, 1};  ///< by cudaMemPoolAttr: what the program set, and CUDA's defaults
  std::uint64_t most_used = 0;                      ///< bytes
};

namespace simtlab::emulator {

class api_caller;

/// What cudaMallocAsync does.
cudaError_t allocate_in(const api_caller&, void** where, std::size_t bytes, cudaStream_t);

}  // namespace simtlab::emulator
