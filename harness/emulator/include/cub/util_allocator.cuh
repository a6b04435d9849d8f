// An allocator with CUB's interface. The emulator's cudaMalloc is fast, so that it keeps nothing.
#pragma once
#ifndef __clang__  // ../device_functions.h
#pragma GCC system_header
#endif

#include "util_debug.cuh"

namespace cub {

struct CachingDeviceAllocator {
  explicit CachingDeviceAllocator(bool = false, bool = false) {}
  CachingDeviceAllocator(unsigned, unsigned, unsigned, size_t, bool = false, bool = false) {}
  inline __attribute__((always_inline, artificial)) cudaError_t DeviceAllocate(void** pointer, size_t bytes,
                                                                               cudaStream_t = nullptr) {
    return cudaMalloc(pointer, bytes);
  }
  inline __attribute__((always_inline, artificial)) cudaError_t DeviceFree(void* pointer) { return cudaFree(pointer); }
  cudaError_t FreeAllCached() { return cudaSuccess; }
};

}  // namespace cub
