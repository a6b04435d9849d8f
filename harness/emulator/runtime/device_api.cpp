// Devices and their properties: there is one, the virtual GPU.
#include <algorithm>
#include <cstring>

#include "include/cuda_runtime.h"
#include "runtime/api_call.h"
#include "runtime/virtual_gpu.h"

using namespace simtlab::emulator;

namespace {

template <class Body>
cudaError_t call(Body&& body) {
  return static_cast<cudaError_t>(api_call(body));
}

cudaError_t succeed() {
  return call([](device&) -> error_code { return cudaSuccess; });
}

cudaDeviceProp properties() {
  cudaDeviceProp p{};
  std::strncpy(p.name, virtual_gpu::name, sizeof p.name - 1);
  p.major = virtual_gpu::major;
  p.minor = virtual_gpu::minor;
  p.totalGlobalMem = arena::capacity;
  p.sharedMemPerBlock = virtual_gpu::shared_bytes_per_block;
  p.sharedMemPerBlockOptin = virtual_gpu::shared_bytes_per_block_optin;
  p.sharedMemPerMultiprocessor = virtual_gpu::shared_bytes_per_multiprocessor;
  p.regsPerBlock = virtual_gpu::registers_per_block;
  p.regsPerMultiprocessor = virtual_gpu::registers_per_multiprocessor;
  p.warpSize = warp_size;
  p.maxThreadsPerBlock = virtual_gpu::threads_per_block;
  p.maxThreadsDim[0] = virtual_gpu::block_x;
  p.maxThreadsDim[1] = virtual_gpu::block_y;
  p.maxThreadsDim[2] = virtual_gpu::block_z;
  p.maxGridSize[0] = virtual_gpu::grid_x;
  p.maxGridSize[1] = virtual_gpu::grid_y;
  p.maxGridSize[2] = virtual_gpu::grid_z;
  p.maxThreadsPerMultiProcessor = virtual_gpu::threads_per_multiprocessor;
  p.multiProcessorCount = virtual_gpu::multiprocessors;
  p.clockRate = virtual_gpu::clock_khz;
  p.memoryClockRate = virtual_gpu::memory_clock_khz;
  p.memoryBusWidth = virtual_gpu::memory_bus_bits;
  p.l2CacheSize = virtual_gpu::l2_bytes;
  p.totalConstMem = virtual_gpu::constant_bytes;
  p.memPitch = 2147483647;
  p.textureAlignment = 512;
  p.texturePitchAlignment = 32;
  p.deviceOverlap = 1;
  p.asyncEngineCount = 1;
  p.canMapHostMemory = 1;
  p.concurrentKernels = 1;
  p.unifiedAddressing = 1;
  p.managedMemory = 1;
  p.concurrentManagedAccess = 1;
  p.globalL1CacheSupported = 1;
  p.localL1CacheSupported = 1;
  return p;
}

}  // namespace

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  return call([&](device&) -> error_code {
    if (count == nullptr) return cudaErrorInvalidValue;
    *count = 1;
    return cudaSuccess;
  });
}
cudaError_t cudaGetDevice(int* number) {
  return call([&](device&) -> error_code {
    if (number == nullptr) return cudaErrorInvalidValue;
    *number = 0;
    return cudaSuccess;
  });
}
cudaError_t cudaSetDevice(int number) {
  return call([&](device&) -> error_code { return number == 0 ? cudaSuccess : cudaErrorInvalidDevice; });
}
cudaError_t cudaChooseDevice(int* number, const cudaDeviceProp*) { return cudaGetDevice(number); }
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* result, int number) {
  return call([&](device&) -> error_code {
    if (result == nullptr) return cudaErrorInvalidValue;
    if (number != 0) return cudaErrorInvalidDevice;
    *result = properties();
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int number) {
  return call([&](device&) -> error_code {
    if (value == nullptr) return cudaErrorInvalidValue;
    if (number != 0) return cudaErrorInvalidDevice;
    const cudaDeviceProp p = properties();
    switch (attribute) {
      case cudaDevAttrMaxThreadsPerBlock:
        *value = p.maxThreadsPerBlock;
        break;
      case cudaDevAttrMaxBlockDimX:
        *value = p.maxThreadsDim[0];
        break;
      case cudaDevAttrMaxBlockDimY:
        *value = p.maxThreadsDim[1];
        break;
      case cudaDevAttrMaxBlockDimZ:
        *value = p.maxThreadsDim[2];
        break;
      case cudaDevAttrMaxGridDimX:
        *value = p.maxGridSize[0];
        break;
      case cudaDevAttrMaxGridDimY:
        *value = p.maxGridSize[1];
        break;
      case cudaDevAttrMaxGridDimZ:
        *value = p.maxGridSize[2];
        break;
      case cudaDevAttrMaxSharedMemoryPerBlock:
        *value = static_cast<int>(p.sharedMemPerBlock);
        break;
      case cudaDevAttrTotalConstantMemory:
        *value = static_cast<int>(p.totalConstMem);
        break;
      case cudaDevAttrWarpSize:
        *value = p.warpSize;
        break;
      case cudaDevAttrMaxRegistersPerBlock:
        *value = p.regsPerBlock;
        break;
      case cudaDevAttrClockRate:
        *value = p.clockRate;
        break;
      case cudaDevAttrMultiProcessorCount:
        *value = p.multiProcessorCount;
        break;
      case cudaDevAttrMemoryClockRate:
        *value = p.memoryClockRate;
        break;
      case cudaDevAttrGlobalMemoryBusWidth:
        *value = p.memoryBusWidth;
        break;
      case cudaDevAttrL2CacheSize:
        *value = p.l2CacheSize;
        break;
      case cudaDevAttrMaxThreadsPerMultiProcessor:
        *value = p.maxThreadsPerMultiProcessor;
        break;
      default:
        return cudaErrorNotSupported;
    }
    return cudaSuccess;
  });
}

cudaError_t cudaSetDeviceFlags(unsigned) { return succeed(); }
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return succeed(); }
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return succeed(); }
cudaError_t cudaDeviceSetLimit(cudaLimit, size_t) { return succeed(); }
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  return call([&](device&) -> error_code {
    if (value == nullptr) return cudaErrorInvalidValue;
    if (limit != cudaLimitStackSize) return cudaErrorNotSupported;
    *value = worker::stack_bytes;
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceCanAccessPeer(int* can, int, int) {
  return call([&](device&) -> error_code {
    if (can == nullptr) return cudaErrorInvalidValue;
    *can = 0;
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) {
  return call([](device&) -> error_code { return cudaErrorInvalidDevice; });
}
cudaError_t cudaDriverGetVersion(int* version) { return cudaRuntimeGetVersion(version); }
cudaError_t cudaRuntimeGetVersion(int* version) {
  return call([&](device&) -> error_code {
    if (version == nullptr) return cudaErrorInvalidValue;
    *version = CUDART_VERSION;
    return cudaSuccess;
  });
}
cudaError_t cudaProfilerStart() { return succeed(); }
cudaError_t cudaProfilerStop() { return succeed(); }

cudaError_t cudaDeviceReset() {
  device& d = device::instance();
  const std::lock_guard guard(d.lock);
  ++d.host.api_calls;
  d.free_everything();
  d.sticky_error = d.last_error = 0;
  return cudaSuccess;
}
cudaError_t cudaThreadExit() { return cudaDeviceReset(); }

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  return call([&](device& d) -> error_code {
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
    if (value < 0 || static_cast<std::size_t>(value) > virtual_gpu::shared_bytes_per_block_optin)
      return cudaErrorInvalidValue;
    d.set_shared_limit(function, static_cast<std::size_t>(value));
    return cudaSuccess;
  });
}
cudaError_t cudaFuncSetCacheConfig(const void*, cudaFuncCache) { return succeed(); }
cudaError_t cudaFuncSetSharedMemConfig(const void*, cudaSharedMemConfig) { return succeed(); }

}  // extern "C"
