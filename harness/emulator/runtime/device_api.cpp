// Devices and their properties: there is one, the virtual GPU.
#include <algorithm>
#include <cstring>
#include <vector>

#include "include/cuda_runtime.h"
#include "runtime/api_call.h"
#include "runtime/virtual_gpu.h"

using namespace simtlab::emulator;

namespace {

cudaError_t succeed(const api_caller& caller) {
  return cuda_call(caller, [](device&) -> error_code { return cudaSuccess; });
}

/// For a function whose only pointer is `to`, where `value` goes.
template <class T>
cudaError_t tell(const api_caller& caller, T* to, T value) {
  return cuda_call(caller, [&](device& d) -> error_code {
    if (!caller.may_set(d, to)) return cudaErrorInvalidValue;
    *to = value;
    return cudaSuccess;
  });
}

constexpr char bus_id[] = "0000:00:00.0";

cudaError_t reset(const api_caller& caller) {
  const emulator_call inside;
  caller.refuse_in_kernel();
  device& d = device::instance();
  const std::lock_guard guard(d.lock);
  ++d.host.api_calls;
  d.free_everything();
  d.sticky_error = d.last_error = 0;
  return cudaSuccess;
}

cudaDeviceProp properties(const gpu_model& gpu) {
  cudaDeviceProp p{};
  gpu.name.copy(p.name, sizeof p.name - 1);
  p.major = gpu.major;
  p.minor = gpu.minor;
  p.totalGlobalMem = arena::capacity;
  p.sharedMemPerBlock = gpu.shared_per_block;
  p.sharedMemPerBlockOptin = gpu.shared_per_block_optin;
  p.sharedMemPerMultiprocessor = gpu.shared_per_multiprocessor;
  p.reservedSharedMemPerBlock = gpu.shared_reserved;
  p.regsPerBlock = std::min(virtual_gpu::registers_per_block, gpu.registers_per_multiprocessor);
  p.regsPerMultiprocessor = gpu.registers_per_multiprocessor;
  p.warpSize = warp_size;
  p.maxThreadsPerBlock = virtual_gpu::threads_per_block;
  p.maxThreadsDim[0] = virtual_gpu::block_x;
  p.maxThreadsDim[1] = virtual_gpu::block_y;
  p.maxThreadsDim[2] = virtual_gpu::block_z;
  p.maxGridSize[0] = virtual_gpu::grid_x;
  p.maxGridSize[1] = virtual_gpu::grid_y;
  p.maxGridSize[2] = virtual_gpu::grid_z;
  p.maxThreadsPerMultiProcessor = gpu.threads_per_multiprocessor;
  p.maxBlocksPerMultiProcessor = gpu.blocks_per_multiprocessor;
  p.multiProcessorCount = gpu.multiprocessors;
  p.clockRate = gpu.clock_khz;
  p.memoryClockRate = gpu.memory_clock_khz;
  p.memoryBusWidth = gpu.memory_bus_bits;
  p.l2CacheSize = gpu.l2_bytes;
  p.totalConstMem = virtual_gpu::constant_bytes;
  p.memPitch = 2147483647;
  p.textureAlignment = virtual_gpu::texture_alignment;
  p.texturePitchAlignment = virtual_gpu::texture_pitch_alignment;
  p.maxTexture1D = virtual_gpu::array_width;
  p.maxTexture1DLinear = virtual_gpu::texture_linear_width;
  p.maxTexture2D[0] = virtual_gpu::array_width;
  p.maxTexture2D[1] = virtual_gpu::array_height;
  p.maxTexture2DLinear[0] = virtual_gpu::texture_pitched_width;
  p.maxTexture2DLinear[1] = virtual_gpu::texture_pitched_height;
  p.maxTexture2DLinear[2] = virtual_gpu::texture_pitch;
  for (int& extent : p.maxTexture3D) extent = virtual_gpu::array_3d;
  p.maxTexture1DLayered[0] = p.maxSurface1D = p.maxSurface1DLayered[0] = virtual_gpu::layered_width;
  p.maxTexture1DLayered[1] = p.maxSurface1DLayered[1] = virtual_gpu::array_layers;
  for (int* const layered : {p.maxTexture2DLayered, p.maxSurface2DLayered}) {
    layered[0] = layered[1] = virtual_gpu::layered_width;
    layered[2] = virtual_gpu::array_layers;
  }
  p.maxTextureCubemap = p.maxSurfaceCubemap = virtual_gpu::layered_width;
  for (int* const layered : {p.maxTextureCubemapLayered, p.maxSurfaceCubemapLayered}) {
    layered[0] = virtual_gpu::layered_width;
    layered[1] = virtual_gpu::cubemap_faces;
  }
  p.maxSurface2D[0] = virtual_gpu::array_width;
  p.maxSurface2D[1] = virtual_gpu::array_height;
  for (int& extent : p.maxSurface3D) extent = virtual_gpu::array_3d;
  p.surfaceAlignment = 512;
  p.deviceOverlap = 1;
  p.asyncEngineCount = 1;
  p.canMapHostMemory = 1;
  p.concurrentKernels = 1;
  p.unifiedAddressing = 1;
  p.managedMemory = 1;
  p.concurrentManagedAccess = 1;
  p.globalL1CacheSupported = 1;
  p.localL1CacheSupported = 1;
  p.streamPrioritiesSupported = 1;
  p.cooperativeLaunch = gpu.has_cooperative_launches() ? 1 : 0;
  return p;
}

struct device_attribute {
  cudaDeviceAttr which;
  long long value;
};

/// Null for what is not known of the device.
const long long* find(const std::vector<device_attribute>& all, cudaDeviceAttr which) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const device_attribute& a) { return a.which == which; });
  return found == all.end() ? nullptr : &found->value;
}

std::vector<device_attribute> attributes_of(const cudaDeviceProp& p) {
  return {{cudaDevAttrMaxThreadsPerBlock, p.maxThreadsPerBlock},
          {cudaDevAttrMaxBlockDimX, p.maxThreadsDim[0]},
          {cudaDevAttrMaxBlockDimY, p.maxThreadsDim[1]},
          {cudaDevAttrMaxBlockDimZ, p.maxThreadsDim[2]},
          {cudaDevAttrMaxGridDimX, p.maxGridSize[0]},
          {cudaDevAttrMaxGridDimY, p.maxGridSize[1]},
          {cudaDevAttrMaxGridDimZ, p.maxGridSize[2]},
          {cudaDevAttrMaxSharedMemoryPerBlock, static_cast<long long>(p.sharedMemPerBlock)},
          {cudaDevAttrMaxSharedMemoryPerBlockOptin, static_cast<long long>(p.sharedMemPerBlockOptin)},
          {cudaDevAttrMaxSharedMemoryPerMultiprocessor, static_cast<long long>(p.sharedMemPerMultiprocessor)},
          {cudaDevAttrReservedSharedMemoryPerBlock, static_cast<long long>(p.reservedSharedMemPerBlock)},
          {cudaDevAttrTotalConstantMemory, static_cast<long long>(p.totalConstMem)},
          {cudaDevAttrWarpSize, p.warpSize},
          {cudaDevAttrMaxPitch, static_cast<long long>(p.memPitch)},
          {cudaDevAttrMaxRegistersPerBlock, p.regsPerBlock},
          {cudaDevAttrMaxRegistersPerMultiprocessor, p.regsPerMultiprocessor},
          {cudaDevAttrClockRate, p.clockRate},
          {cudaDevAttrTextureAlignment, static_cast<long long>(p.textureAlignment)},
          {cudaDevAttrGpuOverlap, p.deviceOverlap},
          {cudaDevAttrMultiProcessorCount, p.multiProcessorCount},
          {cudaDevAttrKernelExecTimeout, 0},
          {cudaDevAttrIntegrated, 0},
          {cudaDevAttrCanMapHostMemory, p.canMapHostMemory},
          {cudaDevAttrComputeMode, p.computeMode},
          {cudaDevAttrConcurrentKernels, p.concurrentKernels},
          {cudaDevAttrEccEnabled, 0},
          {cudaDevAttrAsyncEngineCount, p.asyncEngineCount},
          {cudaDevAttrUnifiedAddressing, p.unifiedAddressing},
          {cudaDevAttrMemoryClockRate, p.memoryClockRate},
          {cudaDevAttrGlobalMemoryBusWidth, p.memoryBusWidth},
          {cudaDevAttrL2CacheSize, p.l2CacheSize},
          {cudaDevAttrMaxThreadsPerMultiProcessor, p.maxThreadsPerMultiProcessor},
          {cudaDevAttrMaxBlocksPerMultiprocessor, p.maxBlocksPerMultiProcessor},
          {cudaDevAttrComputeCapabilityMajor, p.major},
          {cudaDevAttrComputeCapabilityMinor, p.minor},
          {cudaDevAttrStreamPrioritiesSupported, p.streamPrioritiesSupported},
          {cudaDevAttrManagedMemory, p.managedMemory},
          {cudaDevAttrConcurrentManagedAccess, p.concurrentManagedAccess},
          {cudaDevAttrPageableMemoryAccess, 0},
          {cudaDevAttrCooperativeLaunch, p.cooperativeLaunch},
          {cudaDevAttrMemoryPoolsSupported, 1}};
}

}  // namespace

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) { return tell(SIMTLAB_API_CALLER, count, 1); }
cudaError_t cudaGetDevice(int* number) { return tell(SIMTLAB_API_CALLER, number, 0); }
cudaError_t cudaSetDevice(int number) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [&](device&) -> error_code { return number == 0 ? cudaSuccess : cudaErrorInvalidDevice; });
}
cudaError_t cudaChooseDevice(int* number, const cudaDeviceProp* wanted) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [&](device& d) -> error_code {
    if (!caller.may_set(d, number) || !caller.may_load(d, wanted)) return cudaErrorInvalidValue;
    *number = 0;
    return cudaSuccess;
  });
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* result, int number) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [&](device& d) -> error_code {
    if (!caller.may_set(d, result)) return cudaErrorInvalidValue;
    if (number != 0) return cudaErrorInvalidDevice;
    *result = properties(*d.settings.gpu);
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int number) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [&](device& d) -> error_code {
    if (!caller.may_set(d, value)) return cudaErrorInvalidValue;
    if (number != 0) return cudaErrorInvalidDevice;
    const std::vector<device_attribute> known = attributes_of(properties(*d.settings.gpu));
    const long long* found = find(known, attribute);
    if (found == nullptr) return cudaErrorNotSupported;
    *value = static_cast<int>(*found);
    return cudaSuccess;
  });
}

cudaError_t cudaSetDeviceFlags(unsigned) { return succeed(SIMTLAB_API_CALLER); }
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return succeed(SIMTLAB_API_CALLER); }
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return succeed(SIMTLAB_API_CALLER); }
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [&](device& d) -> error_code {
    if (limit != cudaLimitMallocHeapSize) return cudaSuccess;
    if (value > device_heap::address_space) return cudaErrorInvalidValue;
    d.heap.set_limit(value);
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [&](device& d) -> error_code {
    if (!caller.may_set(d, value)) return cudaErrorInvalidValue;
    if (limit != cudaLimitStackSize && limit != cudaLimitMallocHeapSize) return cudaErrorNotSupported;
    *value = limit == cudaLimitStackSize ? stack_memory::bytes_of_one : d.heap.limit();
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceCanAccessPeer(int* can, int, int) { return tell(SIMTLAB_API_CALLER, can, 0); }
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [](device&) -> error_code { return cudaErrorInvalidDevice; });
}
cudaError_t cudaDeviceDisablePeerAccess(int) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [](device&) -> error_code { return cudaErrorPeerAccessNotEnabled; });
}
cudaError_t cudaDeviceGetP2PAttribute(int*, cudaDeviceP2PAttr, int, int) {
  const api_caller caller = SIMTLAB_API_CALLER;  // which asks for two different devices
  return cuda_call(caller, [](device&) -> error_code { return cudaErrorInvalidDevice; });
}
cudaError_t cudaDeviceGetPCIBusId(char* id, int length, int number) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [&](device& d) -> error_code {
    if (number != 0) return cudaErrorInvalidDevice;
    if (length < static_cast<int>(sizeof bus_id) || !caller.may_store(d, id, sizeof bus_id))
      return cudaErrorInvalidValue;
    std::memcpy(id, bus_id, sizeof bus_id);
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetByPCIBusId(int* number, const char* id) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [&](device& d) -> error_code {
    if (!caller.may_set(d, number) || id == nullptr || !caller.may_read(d, id, sizeof bus_id))
      return cudaErrorInvalidValue;
    if (std::strncmp(id, bus_id, sizeof bus_id) != 0) return cudaErrorInvalidDevice;
    *number = 0;
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  return tell(SIMTLAB_API_CALLER, config, cudaFuncCachePreferNone);
}
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  return tell(SIMTLAB_API_CALLER, config, cudaSharedMemBankSizeFourByte);
}
cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  return tell(SIMTLAB_API_CALLER, flags, unsigned{cudaDeviceScheduleAuto | cudaDeviceMapHost});
}
cudaError_t cudaInitDevice(int number, unsigned, unsigned) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [&](device&) -> error_code { return number == 0 ? cudaSuccess : cudaErrorInvalidDevice; });
}
cudaError_t cudaSetValidDevices(int* numbers, int count) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [&](device& d) -> error_code {
    if (count < 0 || !caller.may_read(d, numbers, static_cast<std::size_t>(count) * sizeof *numbers))
      return cudaErrorInvalidValue;
    return std::all_of(numbers, numbers + count, [](int n) { return n == 0; }) ? cudaSuccess : cudaErrorInvalidDevice;
  });
}
cudaError_t cudaCtxResetPersistingL2Cache() { return succeed(SIMTLAB_API_CALLER); }
cudaError_t cudaDriverGetVersion(int* version) { return tell(SIMTLAB_API_CALLER, version, CUDART_VERSION); }
cudaError_t cudaRuntimeGetVersion(int* version) { return tell(SIMTLAB_API_CALLER, version, CUDART_VERSION); }
cudaError_t cudaProfilerStart() { return succeed(SIMTLAB_API_CALLER); }
cudaError_t cudaProfilerStop() { return succeed(SIMTLAB_API_CALLER); }

cudaError_t cudaDeviceReset() { return reset(SIMTLAB_API_CALLER); }
cudaError_t cudaThreadExit() { return reset(SIMTLAB_API_CALLER); }

}  // extern "C"
