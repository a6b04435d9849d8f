#include "cuda/cache_flush.h"

#include <cuda_runtime.h>

#include <algorithm>

#include "cuda/device_kernels.h"
#include "runner/cuda_check.h"

namespace simtlab {
namespace {
constexpr std::size_t times_the_cache = 3, least_bytes = std::size_t{16} << 20;
}

cache_flush::cache_flush() {
  int device = 0, cache = 0;
  SIMTLAB_CHECKED(cudaGetDevice(&device));
  SIMTLAB_CHECKED(cudaDeviceGetAttribute(&cache, cudaDevAttrL2CacheSize, device));
  cache_bytes_ = static_cast<std::size_t>(cache);
  bytes_ = std::max(least_bytes, times_the_cache * cache_bytes_) / 256 * 256;
  SIMTLAB_CHECKED(cudaMalloc(&memory_, bytes_ + 256));
}

cache_flush::~cache_flush() { cudaFree(memory_); }

void cache_flush::run() {
  write_on_device(memory_, bytes_, ++calls_);
  read_on_device(memory_, bytes_, static_cast<char*>(memory_) + bytes_);
  SIMTLAB_CHECKED(cudaCtxResetPersistingL2Cache());
}

}  // namespace simtlab
