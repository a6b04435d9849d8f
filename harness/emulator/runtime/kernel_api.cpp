// What a program may ask and say of its kernels: attributes, and occupancy by the rules of core/occupancy.h. How many
// registers a kernel would take only a compiler for the GPU knows: the number is 0, and registers limit nothing.
#include <set>
#include <string>

#include "core/occupancy.h"
#include "include/cuda_runtime.h"
#include "runtime/api_call.h"
#include "runtime/program_image.h"
#include "runtime/virtual_gpu.h"

using namespace simtlab::emulator;

namespace {

/// Kernels have no preferences here.
cudaError_t prefer(const api_caller& caller) {
  return cuda_call(caller, [](device&) -> error_code { return cudaSuccess; });
}

int most_threads(const void* function) {
  const std::uint64_t bound = launch_bound(function);
  return bound == 0 ? static_cast<int>(virtual_gpu::threads_per_block) : static_cast<int>(bound);
}

cudaError_t active_blocks(const api_caller& caller, int* blocks, const void* function, int threads,
                          std::size_t dynamic_shared) {
  return cuda_call(caller, [&](device& d) -> error_code {
    if (!caller.may_set(d, blocks) || threads <= 0) return cudaErrorInvalidValue;
    if (function == nullptr) return cudaErrorInvalidDeviceFunction;
    const block_needs needs{static_cast<unsigned>(threads), d.static_shared_bytes(function), dynamic_shared, 0};
    const bool too_much = dynamic_shared > d.shared_limit(function) || threads > most_threads(function);
    *blocks = too_much ? 0 : static_cast<int>(occupancy_of(*d.settings.gpu, needs).blocks);
    return cudaSuccess;
  });
}

}  // namespace

extern "C" {

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [&](device& d) -> error_code {
    if (!caller.may_set(d, attributes)) return cudaErrorInvalidValue;
    if (function == nullptr) return cudaErrorInvalidDeviceFunction;
    const gpu_model& gpu = *d.settings.gpu;
    *attributes = {};
    attributes->sharedSizeBytes = d.static_shared_bytes(function);
    attributes->maxThreadsPerBlock = most_threads(function);
    attributes->ptxVersion = attributes->binaryVersion = 10 * gpu.major + gpu.minor;
    attributes->maxDynamicSharedSizeBytes =
        static_cast<int>(d.shared_limit(function) - std::min(d.shared_limit(function), attributes->sharedSizeBytes));
    attributes->preferredShmemCarveout = -1;
    return cudaSuccess;
  });
}

cudaError_t cudaFuncGetName(const char** name, const void* function) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [&](device& d) -> error_code {
    if (!caller.may_set(d, name)) return cudaErrorInvalidValue;
    static std::set<std::string> known;  // which programs point into
    const std::string found = d.sources.linkage_name_at(reinterpret_cast<std::uintptr_t>(function));
    if (found.empty()) return cudaErrorInvalidDeviceFunction;
    *name = known.insert(found).first->c_str();
    return cudaSuccess;
  });
}

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [&](device& d) -> error_code {
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
    if (value < 0 || static_cast<std::size_t>(value) > d.settings.gpu->shared_per_block_optin)
      return cudaErrorInvalidValue;
    d.set_shared_limit(function, static_cast<std::size_t>(value));
    return cudaSuccess;
  });
}
cudaError_t cudaFuncSetCacheConfig(const void*, cudaFuncCache) { return prefer(SIMTLAB_API_CALLER); }
cudaError_t cudaFuncSetSharedMemConfig(const void*, cudaSharedMemConfig) { return prefer(SIMTLAB_API_CALLER); }

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int threads,
                                                          size_t dynamic_shared) {
  return active_blocks(SIMTLAB_API_CALLER, blocks, function, threads, dynamic_shared);
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function, int threads,
                                                                   size_t dynamic_shared, unsigned) {
  return active_blocks(SIMTLAB_API_CALLER, blocks, function, threads, dynamic_shared);
}
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* function, int blocks, int threads) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [&](device& d) -> error_code {
    if (!caller.may_set(d, bytes) || blocks <= 0 || threads <= 0) return cudaErrorInvalidValue;
    const gpu_model& gpu = *d.settings.gpu;
    const std::size_t taken = d.static_shared_bytes(function) + gpu.shared_reserved;
    const std::size_t granularity = gpu.major >= 8 ? 128 : 256;
    const std::size_t share =
        gpu.shared_per_multiprocessor / static_cast<std::size_t>(blocks) / granularity * granularity;
    *bytes = share < taken ? 0 : std::min(share - taken, gpu.shared_per_block_optin);
    return cudaSuccess;
  });
}

}  // extern "C"
