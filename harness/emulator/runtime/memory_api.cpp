// cudaMalloc, cudaMemcpy, cudaMemset and their families. Errors are CUDA's; a call that a GPU would refuse or, worse,
// accept and corrupt memory with, is also reported as a finding that says which pointer is wrong and why.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

#include "include/cuda_runtime.h"
#include "runtime/api_call.h"

using namespace simtlab::emulator;

namespace {

/// One side of a copy.
struct side {
  const void* where;
  std::size_t bytes;
  const char* role;  ///< "destination" or "source"
};

std::string bytes_text(std::size_t n) { return std::to_string(n) + (n == 1 ? " byte" : " bytes"); }

/// Whether `s` lies in one live piece of device memory; otherwise says so at `caller`.
bool is_device_range(device& d, const char* function, const side& s, site caller) {
  if (d.live_region(s.where, s.bytes) != nullptr) return true;
  const auto a = reinterpret_cast<address>(s.where);
  const memory_region* r = d.map.find(a);
  const std::string call = std::string(function) + ": the " + s.role;
  if (r != nullptr && !r->live) {
    d.report_host(rule::use_after_free, caller, r->name, call + " was already freed.");
  } else if (r != nullptr) {
    d.report_host(rule::out_of_bounds, caller, r->name,
                  call + " has " + bytes_text(r->begin + r->bytes - a) + " from this pointer on, but " +
                      bytes_text(s.bytes) + " are asked for. The size is given in bytes: elements times sizeof.");
  } else if (s.where == nullptr) {
    d.report_host(rule::invalid_address, caller, "", call + " is a null pointer. Did cudaMalloc succeed?");
  } else if (d.is_device_address(s.where)) {
    d.report_host(rule::out_of_bounds, caller, "", call + " is no address that cudaMalloc returned.");
  } else {
    d.report_host(rule::invalid_address, caller, "",
                  call +
                      " is a host pointer, where device memory is needed. "
                      "Check the order of the arguments (destination first) and the cudaMemcpyKind.");
  }
  return false;
}

bool is_host_range(device& d, const char* function, const side& s, site caller) {
  if (s.where == nullptr) {
    d.report_host(rule::invalid_address, caller, "", std::string(function) + ": the " + s.role + " is a null pointer.");
    return false;
  }
  const auto a = reinterpret_cast<address>(s.where);
  if (!d.is_device_address(s.where) || d.is_managed(a)) return true;
  const memory_region* r = d.map.find(a);
  d.report_host(rule::invalid_address, caller, r == nullptr ? "" : r->name,
                std::string(function) + ": the " + s.role +
                    " is a device pointer, where host memory is needed. Check the order of the arguments (destination "
                    "first) and the cudaMemcpyKind.");
  return false;
}

bool is_symbol(device& d, const char* function, const void* symbol, site caller) {
  if (d.is_device_address(symbol)) return true;
  d.report_host(rule::invalid_address, caller, "",
                std::string(function) +
                    ": the symbol is no variable of the device. Give the name of the __constant__ or __device__ "
                    "variable itself, as it is declared: no string, and no pointer of the host.");
  return false;
}

cudaMemcpyKind resolved(device& d, const void* to, const void* from, cudaMemcpyKind kind) {
  if (kind != cudaMemcpyDefault) return kind;
  const bool to_device = d.is_device_address(to), from_device = d.is_device_address(from);
  return to_device ? (from_device ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice)
                   : (from_device ? cudaMemcpyDeviceToHost : cudaMemcpyHostToHost);
}

/// A copy of `rows` rows of `bytes` each.
struct copy_shape {
  std::size_t bytes, rows = 1, to_pitch = 0, from_pitch = 0;
};

/// Either side may be managed memory.
void copy_on_host(device& d, void* to, const void* from, std::size_t bytes, site caller) {
  const auto target = reinterpret_cast<address>(to), origin = reinterpret_cast<address>(from);
  if (d.is_managed(origin)) d.work.accessed_managed(origin, bytes, false, caller);
  std::memmove(to, from, bytes);
  if (d.is_managed(target)) d.work.accessed_managed(target, bytes, true, caller);
}

error_code copy(device& d, const char* function, void* to, const void* from, const copy_shape& shape,
                cudaMemcpyKind kind, site caller) {
  if (shape.bytes == 0 || shape.rows == 0) return cudaSuccess;
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
  kind = resolved(d, to, from, kind);
  const auto extent = [&](std::size_t pitch) { return (shape.rows - 1) * pitch + shape.bytes; };
  const side target{to, extent(shape.to_pitch), "destination"}, origin{from, extent(shape.from_pitch), "source"};
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  if (!(to_device ? is_device_range(d, function, target, caller) : is_host_range(d, function, target, caller)))
    return cudaErrorInvalidValue;
  if (!(from_device ? is_device_range(d, function, origin, caller) : is_host_range(d, function, origin, caller)))
    return cudaErrorInvalidValue;
  for (std::size_t row = 0; row < shape.rows; ++row) {
    void* t = static_cast<char*>(to) + row * shape.to_pitch;
    const void* f = static_cast<const char*>(from) + row * shape.from_pitch;
    if (to_device && from_device)
      d.copy_on_device(t, f, shape.bytes, caller);
    else if (to_device)
      d.copy_to_device(t, f, shape.bytes, caller);
    else if (from_device)
      d.copy_to_host(t, f, shape.bytes, caller);
    else
      copy_on_host(d, t, f, shape.bytes, caller);
  }
  return cudaSuccess;
}

error_code fill(device& d, const char* function, void* where, int value, std::size_t bytes, site caller) {
  if (bytes == 0) return cudaSuccess;
  if (!is_device_range(d, function, {where, bytes, "destination"}, caller)) return cudaErrorInvalidValue;
  d.set(where, value, bytes, caller);
  return cudaSuccess;
}

/// What current GPUs give.
std::size_t pitch_of(std::size_t width) { return (width + 511) / 512 * 512; }

cudaError_t error(error_code e) { return static_cast<cudaError_t>(e); }

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
  return error(api_call([&](device& d) { return d.free(where, caller); }));
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

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* what) {
  const site caller = SIMTLAB_CALL_SITE;
  return error(fallible_call([&](device& d) -> error_code {
    if (what == nullptr) return cudaErrorInvalidValue;
    if (what->srcArray != nullptr || what->dstArray != nullptr) return cudaErrorNotSupported;
    const auto slice = [](const cudaPitchedPtr& p, const cudaPos& at, std::size_t depth) {
      return static_cast<char*>(p.ptr) + ((at.z + depth) * p.ysize + at.y) * p.pitch + at.x;
    };
    for (std::size_t z = 0; z < what->extent.depth; ++z) {
      const copy_shape shape{what->extent.width, what->extent.height, what->dstPtr.pitch, what->srcPtr.pitch};
      const error_code e = copy(d, "cudaMemcpy3D", slice(what->dstPtr, what->dstPos, z),
                                slice(what->srcPtr, what->srcPos, z), shape, what->kind, caller);
      if (e != 0) return e;
    }
    return cudaSuccess;
  }));
}
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* what, cudaStream_t) { return cudaMemcpy3D(what); }

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
