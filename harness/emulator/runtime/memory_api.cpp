// cudaMalloc, cudaMemcpy, cudaMemset and their families. Errors are CUDA's; a call that a GPU would refuse or, worse,
// accept and corrupt memory with, is also reported as a finding that says which pointer is wrong and why.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

#include "include/cuda_runtime.h"
#include "runtime/api_call.h"
#include "runtime/cuda_error.h"
#include "runtime/device_copy.h"

using namespace simtlab::emulator;

namespace {

bool is_symbol(device& d, const char* function, const void* symbol, site caller) {
  if (d.is_device_address(symbol)) return true;
  d.report_host(rule::invalid_address, caller, "",
                std::string(function) +
                    ": the symbol is no variable of the device. Give the name of the __constant__ or __device__ "
                    "variable itself, as it is declared: no string, and no pointer of the host.");
  return false;
}

/// What current GPUs give.
std::size_t pitch_of(std::size_t width) { return (width + 511) / 512 * 512; }

}  // namespace

extern "C" {

cudaError_t cudaMalloc(void** where, size_t bytes) {
  const site caller = SIMTLAB_CALL_SITE;
  return error(fallible_call([&](device& d) -> error_code {
    if (where == nullptr) return cudaErrorInvalidValue;
    *where = nullptr;
    if (bytes == 0) return cudaSuccess;
    *where = d.allocate(bytes, false, caller);
    return *where == nullptr ? cudaErrorMemoryAllocation : cudaSuccess;
  }));
}

cudaError_t cudaMallocManaged(void** where, size_t bytes, unsigned) {
  const site caller = SIMTLAB_CALL_SITE;
  return error(fallible_call([&](device& d) -> error_code {
    if (where == nullptr || bytes == 0) return cudaErrorInvalidValue;
    *where = d.allocate(bytes, true, caller);
    return *where == nullptr ? cudaErrorMemoryAllocation : cudaSuccess;
  }));
}

cudaError_t cudaMallocPitch(void** where, size_t* pitch, size_t width, size_t height) {
  const site caller = SIMTLAB_CALL_SITE;
  return error(fallible_call([&](device& d) -> error_code {
    if (where == nullptr || pitch == nullptr) return cudaErrorInvalidValue;
    *where = nullptr;
    *pitch = pitch_of(width);
    if (width == 0 || height == 0) return cudaSuccess;
    *where = d.allocate(*pitch * height, false, caller);
    return *where == nullptr ? cudaErrorMemoryAllocation : cudaSuccess;
  }));
}

cudaError_t cudaFree(void* where) {
  const site caller = SIMTLAB_CALL_SITE;
  const private_allocation own;
  const error_code e = api_call([&](device& d) { return d.free(where, caller); });
  device& d = device::instance();
  const std::lock_guard guard(d.lock);
  if (d.sticky_error != 0) d.note_vain_free(where);
  return error(e);
}

cudaError_t cudaMallocHost(void** where, size_t bytes) {
  return error(fallible_call([&](device&) -> error_code {
    if (where == nullptr) return cudaErrorInvalidValue;
    *where = std::malloc(bytes);
    return *where == nullptr ? cudaErrorMemoryAllocation : cudaSuccess;
  }));
}

cudaError_t cudaHostAlloc(void** where, size_t bytes, unsigned) { return cudaMallocHost(where, bytes); }

cudaError_t cudaFreeHost(void* where) {
  return error(api_call([&](device&) -> error_code {
    std::free(where);
    return cudaSuccess;
  }));
}

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  const site caller = SIMTLAB_CALL_SITE;
  return error(fallible_call([&](device& d) { return copy(d, "cudaMemcpy", to, from, {bytes}, kind, caller); }));
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  const site caller = SIMTLAB_CALL_SITE;
  return error(fallible_call([&](device& d) {
    const in_stream here(d, stream);
    return copy(d, "cudaMemcpyAsync", to, from, {bytes}, kind, caller);
  }));
}

cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                         cudaMemcpyKind kind) {
  const site caller = SIMTLAB_CALL_SITE;
  return error(fallible_call([&](device& d) -> error_code {
    if (width > to_pitch || width > from_pitch) return cudaErrorInvalidPitchValue;
    return copy(d, "cudaMemcpy2D", to, from, {width, height, to_pitch, from_pitch}, kind, caller);
  }));
}

cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t) {
  return cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
}

cudaError_t cudaMallocAsync(void** where, size_t bytes, cudaStream_t) { return cudaMalloc(where, bytes); }
cudaError_t cudaFreeAsync(void* where, cudaStream_t) { return cudaFree(where); }

cudaError_t cudaHostRegister(void* where, size_t, unsigned) {
  return error(api_call([&](device&) -> error_code { return where == nullptr ? cudaErrorInvalidValue : cudaSuccess; }));
}
cudaError_t cudaHostUnregister(void* where) { return cudaHostRegister(where, 0, 0); }
cudaError_t cudaHostGetDevicePointer(void**, void*, unsigned) {
  return error(api_call([](device&) -> error_code { return cudaErrorNotSupported; }));  // no mapped host memory here
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* where) {
  return error(api_call([&](device& d) -> error_code {
    if (attributes == nullptr) return cudaErrorInvalidValue;
    *attributes = {};
    if (!d.is_device_address(where)) {
      attributes->type = cudaMemoryTypeUnregistered;
      attributes->hostPointer = const_cast<void*>(where);
      return cudaSuccess;
    }
    const bool managed = d.is_managed(reinterpret_cast<address>(where));
    attributes->type = managed ? cudaMemoryTypeManaged : cudaMemoryTypeDevice;
    attributes->devicePointer = const_cast<void*>(where);
    if (managed) attributes->hostPointer = const_cast<void*>(where);
    return cudaSuccess;
  }));
}

cudaError_t cudaMemset2D(void* where, size_t pitch, int value, size_t width, size_t height) {
  const site caller = SIMTLAB_CALL_SITE;
  return error(fallible_call([&](device& d) -> error_code {
    if (width > pitch) return cudaErrorInvalidPitchValue;
    for (size_t row = 0; row < height; ++row) {
      const error_code e = fill(d, "cudaMemset2D", static_cast<char*>(where) + row * pitch, value, width, caller);
      if (e != 0) return e;
    }
    return cudaSuccess;
  }));
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent) {
  const site caller = SIMTLAB_CALL_SITE;
  return error(fallible_call([&](device& d) -> error_code {
    if (pointer == nullptr) return cudaErrorInvalidValue;
    const std::size_t pitch = pitch_of(extent.width);
    *pointer = {d.allocate(pitch * extent.height * extent.depth, false, caller), pitch, extent.width, extent.height};
    return pointer->ptr == nullptr ? cudaErrorMemoryAllocation : cudaSuccess;
  }));
}

cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent) {
  const site caller = SIMTLAB_CALL_SITE;
  return error(fallible_call([&](device& d) -> error_code {
    for (size_t z = 0; z < extent.depth; ++z) {
      for (size_t y = 0; y < extent.height; ++y) {
        void* row = static_cast<char*>(to.ptr) + (z * to.ysize + y) * to.pitch;
        if (const error_code e = fill(d, "cudaMemset3D", row, value, extent.width, caller); e != 0) return e;
      }
    }
    return cudaSuccess;
  }));
}

cudaError_t cudaMemAdvise(const void* where, size_t bytes, cudaMemoryAdvise, int) {
  return cudaMemPrefetchAsync(where, bytes, 0, nullptr);
}

cudaError_t cudaMemset(void* where, int value, size_t bytes) {
  const site caller = SIMTLAB_CALL_SITE;
  return error(fallible_call([&](device& d) { return fill(d, "cudaMemset", where, value, bytes, caller); }));
}

cudaError_t cudaMemsetAsync(void* where, int value, size_t bytes, cudaStream_t stream) {
  const site caller = SIMTLAB_CALL_SITE;
  return error(fallible_call([&](device& d) {
    const in_stream here(d, stream);
    return fill(d, "cudaMemsetAsync", where, value, bytes, caller);
  }));
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset, cudaMemcpyKind kind) {
  const site caller = SIMTLAB_CALL_SITE;
  return error(fallible_call([&](device& d) -> error_code {
    if (!is_symbol(d, "cudaMemcpyToSymbol", symbol, caller)) return cudaErrorInvalidSymbol;
    void* to = static_cast<char*>(const_cast<void*>(symbol)) + offset;
    return copy(d, "cudaMemcpyToSymbol", to, from, {bytes}, kind, caller);
  }));
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t) {
  return cudaMemcpyToSymbol(symbol, from, bytes, offset, kind);
}

cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset, cudaMemcpyKind kind) {
  const site caller = SIMTLAB_CALL_SITE;
  return error(fallible_call([&](device& d) -> error_code {
    if (!is_symbol(d, "cudaMemcpyFromSymbol", symbol, caller)) return cudaErrorInvalidSymbol;
    return copy(d, "cudaMemcpyFromSymbol", to, static_cast<const char*>(symbol) + offset, {bytes}, kind, caller);
  }));
}

cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset, cudaMemcpyKind kind,
                                      cudaStream_t) {
  return cudaMemcpyFromSymbol(to, symbol, bytes, offset, kind);
}

cudaError_t cudaGetSymbolAddress(void** where, const void* symbol) {
  return error(api_call([&](device& d) -> error_code {
    if (where == nullptr) return cudaErrorInvalidValue;
    if (!d.is_device_address(symbol)) return cudaErrorInvalidSymbol;
    *where = const_cast<void*>(symbol);
    d.remember_asked(symbol);
    return cudaSuccess;
  }));
}

cudaError_t cudaGetSymbolSize(size_t* bytes, const void* symbol) {
  return error(api_call([&](device& d) -> error_code {
    const memory_region* r = d.live_region(symbol, 1);
    if (bytes == nullptr) return cudaErrorInvalidValue;
    if (r == nullptr) return cudaErrorInvalidSymbol;
    *bytes = r->bytes;
    return cudaSuccess;
  }));
}

cudaError_t cudaMemPrefetchAsync(const void* where, size_t bytes, int, cudaStream_t) {
  return error(api_call([&](device& d) -> error_code {
    return d.live_region(where, bytes) == nullptr ? cudaErrorInvalidValue : cudaSuccess;
  }));
}

cudaError_t cudaMemGetInfo(size_t* available, size_t* total) {
  return error(api_call([&](device& d) -> error_code {
    if (available == nullptr || total == nullptr) return cudaErrorInvalidValue;
    *total = arena::capacity;
    *available = arena::capacity - d.memory.allocated();
    return cudaSuccess;
  }));
}

}  // extern "C"
