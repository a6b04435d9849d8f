// cudaMalloc, cudaMemcpy, cudaMemset and their families. Errors are CUDA's; a call that a GPU would refuse or, worse,
// accept and corrupt memory with, is also reported as a finding that says which pointer is wrong and why.
#include <cstdlib>
#include <string>

#include "include/cuda_runtime.h"
#include "runtime/api_call.h"
#include "runtime/cuda_error.h"
#include "runtime/device_copy.h"
#include "runtime/graph.h"
#include "runtime/memory_pool.h"

using namespace simtlab::emulator;

namespace {

bool is_symbol(device& d, const api_caller& caller, const void* symbol) {
  if (d.is_device_address(symbol)) return true;
  d.report_host(rule::invalid_address, caller.where, "",
                std::string(caller.function) +
                    ": the symbol is no variable of the device. Give the name of the __constant__ or __device__ "
                    "variable itself, as it is declared: no string, and no pointer of the host.");
  return false;
}

/// What current GPUs give.
std::size_t pitch_of(std::size_t width) { return (width + 511) / 512 * 512; }

/// For functions whose work does not depend on the stream: operations have ended when their call returns.
error_code check_stream(device& d, const api_caller& caller, cudaStream_t stream) {
  if (!caller.is_stream(d, stream)) return cudaErrorInvalidResourceHandle;
  return refused_in_capture(stream).value_or(cudaSuccess);
}

cudaError_t release(const api_caller& caller, void* where, cudaStream_t stream, bool waits) {
  return error(api_call(caller, [&](device& d) {
    const error_code wrong = check_stream(d, caller, stream);
    return wrong == cudaSuccess ? d.free(where, caller.where, waits) : wrong;
  }));
}

cudaError_t allocate_page_locked(const api_caller& caller, void** where, std::size_t bytes, unsigned flags) {
  constexpr unsigned all = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
  return error(fallible_call(caller, [&](device& d) -> error_code {
    if (!caller.may_set(d, where) || (flags & ~all) != 0) return cudaErrorInvalidValue;
    *where = nullptr;
    if (bytes == 0) return cudaSuccess;
    *where = d.allocate(bytes, memory_kind::page_locked, caller.where);
    return *where == nullptr ? cudaErrorMemoryAllocation : cudaSuccess;
  }));
}

/// Whether it is page-locked memory; reports it if not.
bool is_mapped(device& d, const api_caller& caller, const void* where) {
  if (d.is_registered(where, 1)) return true;
  if (d.is_page_locked(reinterpret_cast<address>(where)) && d.live_region(where, 1) != nullptr) return true;
  d.report_host(rule::invalid_address, caller.where, "",
                std::string(caller.function) +
                    ": this is no page-locked memory. It takes a pointer that cudaMallocHost or cudaHostAlloc returned "
                    "or cudaHostRegister was given, or one into that memory.");
  return false;
}

/// Now, or when the graph is launched which the stream's calls make.
error_code copy_in(device& d, const api_caller& caller, cudaStream_t stream, const kept_copy& asked) {
  if (!caller.is_stream(d, stream)) return cudaErrorInvalidResourceHandle;
  if (const auto taken = captured(stream, caller, asked); taken) return *taken;
  return copy(d, caller, asked.to, asked.from, asked.shape, asked.kind);
}

cudaError_t copy_rows(const api_caller& caller, void* to, const void* from, const copy_shape& shape,
                      cudaMemcpyKind kind, cudaStream_t stream) {
  return error(fallible_call(caller, [&](device& d) -> error_code {
    if (shape.bytes > shape.to_pitch || shape.bytes > shape.from_pitch) return cudaErrorInvalidPitchValue;
    return copy_in(d, caller, stream, {to, from, shape, kind});
  }));
}

cudaError_t copy_to_symbol(const api_caller& caller, const void* symbol, const void* from, std::size_t bytes,
                           std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  return error(fallible_call(caller, [&](device& d) -> error_code {
    if (!is_symbol(d, caller, symbol)) return cudaErrorInvalidSymbol;
    void* to = static_cast<char*>(const_cast<void*>(symbol)) + offset;
    return copy_in(d, caller, stream, {to, from, {bytes}, kind});
  }));
}

cudaError_t copy_from_symbol(const api_caller& caller, void* to, const void* symbol, std::size_t bytes,
                             std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  return error(fallible_call(caller, [&](device& d) -> error_code {
    if (!is_symbol(d, caller, symbol)) return cudaErrorInvalidSymbol;
    return copy_in(d, caller, stream, {to, static_cast<const char*>(symbol) + offset, {bytes}, kind});
  }));
}

error_code check_pitch(const fill_shape& shape) {
  return shape.rows > 1 && shape.bytes > shape.pitch ? cudaErrorInvalidPitchValue : cudaSuccess;
}

cudaError_t fill_now(const api_caller& caller, void* where, int value, const fill_shape& shape) {
  return error(fallible_call(caller, [&](device& d) -> error_code {
    if (const error_code e = check_pitch(shape); e != cudaSuccess) return e;
    if (const auto refused = refused_in_capture(nullptr); refused) return *refused;
    return fill(d, caller, where, value, shape);
  }));
}

cudaError_t fill_in(const api_caller& caller, cudaStream_t stream, void* where, int value, const fill_shape& shape) {
  return error(fallible_call(caller, [&](device& d) -> error_code {
    if (const error_code e = check_pitch(shape); e != cudaSuccess) return e;
    if (!caller.is_stream(d, stream)) return cudaErrorInvalidResourceHandle;
    if (const auto taken = captured(stream, caller, kept_fill{where, static_cast<unsigned>(value), 1, shape}); taken)
      return *taken;
    const in_stream here(d, stream);
    return fill(d, caller, where, value, shape);
  }));
}

/// Slice by slice, by `fill_slice(slice, shape)`.
template <class FillSlice>
cudaError_t fill_box(const cudaPitchedPtr& to, const cudaExtent& extent, FillSlice fill_slice) {
  for (size_t z = 0; z < extent.depth; ++z) {
    void* slice = static_cast<char*>(to.ptr) + z * to.ysize * to.pitch;
    if (const cudaError_t e = fill_slice(slice, fill_shape{extent.width, extent.height, to.pitch}); e != cudaSuccess)
      return e;
  }
  return cudaSuccess;
}

/// Whether it is managed memory that an API call is given; reports it if not.
bool is_managed_range(device& d, const api_caller& caller, const void* where, std::size_t bytes) {
  const memory_region* const r = d.map.find(reinterpret_cast<address>(where));
  if (d.live_region(where, bytes) != nullptr && d.is_managed(reinterpret_cast<address>(where))) return true;
  std::string says = std::string(caller.function) + ": ";
  if (r != nullptr && !r->live)
    says += "this memory was already freed.";
  else if (r != nullptr && d.is_managed(r->begin))
    says += bytes_text(bytes) + " are asked for, and the memory has " +
            bytes_text(r->begin + r->bytes - reinterpret_cast<address>(where)) + " from this pointer on.";
  else
    says +=
        "this is no managed memory. Pages move only of what cudaMallocManaged returned or __managed__ declares; "
        "cudaMemcpy moves all else.";
  d.report_host(rule::invalid_address, caller.where, r == nullptr ? "" : r->name, says);
  return false;
}

cudaError_t prefetch(const api_caller& caller, const void* where, std::size_t bytes, int to, cudaStream_t stream) {
  return error(api_call(caller, [&](device& d) -> error_code {
    if (const error_code e = check_stream(d, caller, stream); e != cudaSuccess) return e;
    if (to != cudaCpuDeviceId && to != 0) return cudaErrorInvalidDevice;
    if (bytes == 0 || !is_managed_range(d, caller, where, bytes)) return cudaErrorInvalidValue;
    d.prefetch(to == cudaCpuDeviceId ? page_place::host : page_place::device, where, bytes, stream);
    return cudaSuccess;
  }));
}

/// What cudaMemAdvise asks: the model of migration (costs/managed_pages.h) knows no advice.
cudaError_t advise(const api_caller& caller, const void* where, std::size_t bytes) {
  return error(api_call(caller, [&](device& d) -> error_code {
    return is_managed_range(d, caller, where, bytes) ? cudaSuccess : cudaErrorInvalidValue;
  }));
}

}  // namespace

cudaError_t simtlab::emulator::allocate_in(const api_caller& caller, void** where, std::size_t bytes,
                                           std::optional<CUmemPoolHandle_st*> pool, cudaStream_t stream) {
  return error(fallible_call(caller, [&](device& d) -> error_code {
    if (!caller.may_set(d, where)) return cudaErrorInvalidValue;
    if (const error_code e = check_stream(d, caller, stream); e != cudaSuccess) return e;
    *where = nullptr;
    if (bytes == 0) return cudaSuccess;
    *where = d.allocate(bytes, memory_kind::device, caller.where);
    if (*where == nullptr) return cudaErrorMemoryAllocation;
    if (pool) d.take_from(*pool == nullptr ? *d.pool_in_use() : **pool, *where);
    return cudaSuccess;
  }));
}

extern "C" {

cudaError_t cudaMalloc(void** where, size_t bytes) {
  return allocate_in(SIMTLAB_API_CALLER, where, bytes, std::nullopt, nullptr);
}
cudaError_t cudaMallocAsync(void** where, size_t bytes, cudaStream_t stream) {
  return allocate_in(SIMTLAB_API_CALLER, where, bytes, nullptr, stream);
}
cudaError_t cudaFree(void* where) { return release(SIMTLAB_API_CALLER, where, nullptr, true); }
cudaError_t cudaFreeAsync(void* where, cudaStream_t stream) {
  return release(SIMTLAB_API_CALLER, where, stream, false);
}

cudaError_t cudaMallocHost(void** where, size_t bytes) {
  return allocate_page_locked(SIMTLAB_API_CALLER, where, bytes, cudaHostAllocDefault);
}
cudaError_t cudaHostAlloc(void** where, size_t bytes, unsigned flags) {
  return allocate_page_locked(SIMTLAB_API_CALLER, where, bytes, flags);
}
cudaError_t cudaFreeHost(void* where) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return error(api_call(caller, [&](device& d) { return d.free_page_locked(where, caller.where); }));
}
cudaError_t cudaHostRegister(void* where, size_t bytes, unsigned flags) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return error(api_call(caller, [&](device& d) -> error_code {
    constexpr unsigned all = cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterReadOnly;
    if ((flags & ~all) != 0) return cudaErrorInvalidValue;  // no memory here is a device's registers
    if (where == nullptr || bytes == 0 || !caller.may_store(d, where, bytes)) return cudaErrorInvalidValue;
    return d.register_memory(where, bytes, caller.where);
  }));
}
cudaError_t cudaHostUnregister(void* where) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return error(api_call(caller, [&](device& d) -> error_code {
    return where == nullptr ? cudaErrorInvalidValue : d.unregister_memory(where);
  }));
}
cudaError_t cudaHostGetFlags(unsigned* flags, void* where) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return error(api_call(caller, [&](device& d) -> error_code {
    if (!caller.may_set(d, flags) || !is_mapped(d, caller, where)) return cudaErrorInvalidValue;
    *flags = cudaHostAllocMapped;  // as on a GPU with unified addresses
    return cudaSuccess;
  }));
}
cudaError_t cudaHostGetDevicePointer(void** pointer, void* where, unsigned flags) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return error(api_call(caller, [&](device& d) -> error_code {
    if (!caller.may_set(d, pointer) || flags != 0) return cudaErrorInvalidValue;
    if (!is_mapped(d, caller, where)) return cudaErrorInvalidValue;
    *pointer = where;
    return cudaSuccess;
  }));
}

cudaError_t cudaMallocManaged(void** where, size_t bytes, unsigned) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return error(fallible_call(caller, [&](device& d) -> error_code {
    if (!caller.may_set(d, where) || bytes == 0) return cudaErrorInvalidValue;
    *where = d.allocate(bytes, memory_kind::managed, caller.where);
    return *where == nullptr ? cudaErrorMemoryAllocation : cudaSuccess;
  }));
}

cudaError_t cudaMallocPitch(void** where, size_t* pitch, size_t width, size_t height) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return error(fallible_call(caller, [&](device& d) -> error_code {
    if (!caller.may_set(d, where) || !caller.may_set(d, pitch)) return cudaErrorInvalidValue;
    *where = nullptr;
    *pitch = pitch_of(width);
    if (width == 0 || height == 0) return cudaSuccess;
    *where = d.allocate(*pitch * height, memory_kind::device, caller.where);
    return *where == nullptr ? cudaErrorMemoryAllocation : cudaSuccess;
  }));
}

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return error(fallible_call(caller, [&](device& d) -> error_code {
    if (const auto refused = refused_in_capture(nullptr); refused) return *refused;
    return copy(d, caller, to, from, {bytes}, kind);
  }));
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return error(fallible_call(caller, [&](device& d) -> error_code {
    const in_stream here(d, stream);
    return copy_in(d, caller, stream, {to, from, {bytes}, kind});
  }));
}

cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                         cudaMemcpyKind kind) {
  return copy_rows(SIMTLAB_API_CALLER, to, from, {width, height, to_pitch, from_pitch}, kind, nullptr);
}
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_rows(SIMTLAB_API_CALLER, to, from, {width, height, to_pitch, from_pitch}, kind, stream);
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset, cudaMemcpyKind kind) {
  return copy_to_symbol(SIMTLAB_API_CALLER, symbol, from, bytes, offset, kind, nullptr);
}
cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_to_symbol(SIMTLAB_API_CALLER, symbol, from, bytes, offset, kind, stream);
}
cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset, cudaMemcpyKind kind) {
  return copy_from_symbol(SIMTLAB_API_CALLER, to, symbol, bytes, offset, kind, nullptr);
}
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset, cudaMemcpyKind kind,
                                      cudaStream_t stream) {
  return copy_from_symbol(SIMTLAB_API_CALLER, to, symbol, bytes, offset, kind, stream);
}

cudaError_t cudaMemPrefetchAsync(const void* where, size_t bytes, int device, cudaStream_t stream) {
  return prefetch(SIMTLAB_API_CALLER, where, bytes, device, stream);
}
cudaError_t cudaMemAdvise(const void* where, size_t bytes, cudaMemoryAdvise, int) {
  return advise(SIMTLAB_API_CALLER, where, bytes);
}

/// Host code of a virtual GPU with concurrentManagedAccess may touch what no kernel works on, attached or not.
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* where, size_t bytes, unsigned flags) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return error(api_call(caller, [&](device& d) -> error_code {
    if (const error_code e = check_stream(d, caller, stream); e != cudaSuccess) return e;
    const bool is_known = flags == cudaMemAttachGlobal || flags == cudaMemAttachHost || flags == cudaMemAttachSingle;
    if (!is_known || (flags == cudaMemAttachSingle && stream == nullptr)) return cudaErrorInvalidValue;
    return is_managed_range(d, caller, where, bytes) ? cudaSuccess : cudaErrorInvalidValue;
  }));
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* where) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return error(api_call(caller, [&](device& d) -> error_code {
    if (!caller.may_set(d, attributes)) return cudaErrorInvalidValue;
    *attributes = {};
    const bool is_mapped = d.is_page_locked(reinterpret_cast<address>(where)) || d.is_registered(where, 1);
    if (!d.is_device_address(where)) {
      attributes->type = is_mapped ? cudaMemoryTypeHost : cudaMemoryTypeUnregistered;
      attributes->hostPointer = const_cast<void*>(where);
      if (is_mapped) attributes->devicePointer = const_cast<void*>(where);
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
  return fill_now(SIMTLAB_API_CALLER, where, value, {width, height, pitch});
}
cudaError_t cudaMemset2DAsync(void* where, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream) {
  return fill_in(SIMTLAB_API_CALLER, stream, where, value, {width, height, pitch});
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return error(fallible_call(caller, [&](device& d) -> error_code {
    if (!caller.may_set(d, pointer)) return cudaErrorInvalidValue;
    const std::size_t pitch = pitch_of(extent.width);
    *pointer = {d.allocate(pitch * extent.height * extent.depth, memory_kind::device, caller.where), pitch,
                extent.width, extent.height};
    return pointer->ptr == nullptr ? cudaErrorMemoryAllocation : cudaSuccess;
  }));
}

cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return fill_box(to, extent,
                  [&](void* slice, const fill_shape& shape) { return fill_now(caller, slice, value, shape); });
}
cudaError_t cudaMemset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent, cudaStream_t stream) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return fill_box(to, extent,
                  [&](void* slice, const fill_shape& shape) { return fill_in(caller, stream, slice, value, shape); });
}

cudaError_t cudaMemset(void* where, int value, size_t bytes) {
  return fill_now(SIMTLAB_API_CALLER, where, value, {bytes});
}
cudaError_t cudaMemsetAsync(void* where, int value, size_t bytes, cudaStream_t stream) {
  return fill_in(SIMTLAB_API_CALLER, stream, where, value, {bytes});
}

/// There is one device, which is its own peer.
cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t bytes) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return error(fallible_call(caller, [&](device& d) -> error_code {
    if (to_device != 0 || from_device != 0) return cudaErrorInvalidDevice;
    if (const auto refused = refused_in_capture(nullptr); refused) return *refused;
    return copy(d, caller, to, from, {bytes}, cudaMemcpyDeviceToDevice);
  }));
}
cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, size_t bytes,
                                cudaStream_t stream) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return error(fallible_call(caller, [&](device& d) -> error_code {
    if (to_device != 0 || from_device != 0) return cudaErrorInvalidDevice;
    const in_stream here(d, stream);
    return copy_in(d, caller, stream, {to, from, {bytes}, cudaMemcpyDeviceToDevice});
  }));
}

cudaError_t cudaGetSymbolAddress(void** where, const void* symbol) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return error(api_call(caller, [&](device& d) -> error_code {
    if (!caller.may_set(d, where)) return cudaErrorInvalidValue;
    if (!d.is_device_address(symbol)) return cudaErrorInvalidSymbol;
    *where = const_cast<void*>(symbol);
    d.remember_asked(symbol);
    return cudaSuccess;
  }));
}

cudaError_t cudaGetSymbolSize(size_t* bytes, const void* symbol) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return error(api_call(caller, [&](device& d) -> error_code {
    const memory_region* r = d.live_region(symbol, 1);
    if (!caller.may_set(d, bytes)) return cudaErrorInvalidValue;
    if (r == nullptr) return cudaErrorInvalidSymbol;
    *bytes = r->bytes;
    return cudaSuccess;
  }));
}

cudaError_t cudaMemGetInfo(size_t* available, size_t* total) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return error(api_call(caller, [&](device& d) -> error_code {
    if (!caller.may_set(d, available) || !caller.may_set(d, total)) return cudaErrorInvalidValue;
    *total = arena::capacity;
    *available = arena::capacity - d.memory.allocated();
    return cudaSuccess;
  }));
}

}  // extern "C"
