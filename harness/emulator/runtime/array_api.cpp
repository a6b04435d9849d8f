// Arrays and the copies to and from them; copies of boxes, which may begin or end in an array.
#include <string>

#include "include/cuda_runtime.h"
#include "runtime/api_call.h"
#include "runtime/cuda_error.h"
#include "runtime/device_array.h"
#include "runtime/device_copy.h"
#include "runtime/graph.h"
#include "runtime/virtual_gpu.h"

using namespace simtlab::emulator;

namespace {

bool fits(const cudaExtent& e, unsigned flags) {
  const bool layered = (flags & cudaArrayLayered) != 0;
  if ((flags & cudaArrayCubemap) != 0)
    return e.width != 0 && e.width == e.height && e.width <= virtual_gpu::layered_width &&
           (layered ? e.depth != 0 && e.depth % 6 == 0 && e.depth <= virtual_gpu::cubemap_faces : e.depth == 6) &&
           (flags & cudaArrayTextureGather) == 0;
  if (layered)
    return e.width != 0 && e.width <= virtual_gpu::layered_width && e.height <= virtual_gpu::layered_width &&
           e.depth != 0 && e.depth <= virtual_gpu::array_layers;
  if (e.width == 0 || (e.height == 0 && e.depth != 0)) return false;
  if (e.depth != 0)
    return e.width <= virtual_gpu::array_3d && e.height <= virtual_gpu::array_3d && e.depth <= virtual_gpu::array_3d;
  return e.width <= virtual_gpu::array_width && e.height <= virtual_gpu::array_height;
}

error_code allocate(device& d, const api_caller& caller, cudaArray_t* handle, const cudaChannelFormatDesc* description,
                    const cudaExtent& extent, unsigned flags) {
  if (!caller.may_set(d, handle) || !caller.may_load(d, description)) return cudaErrorInvalidValue;
  *handle = nullptr;
  constexpr unsigned known = cudaArraySurfaceLoadStore | cudaArrayTextureGather | cudaArrayLayered | cudaArrayCubemap;
  if ((flags & ~known) != 0) {
    d.report_host(rule::unsupported, caller.where, "",
                  "Sparse arrays and arrays with deferred memory are not supported by the emulator: make a whole one.");
    return cudaErrorNotSupported;
  }
  const auto format = texel_format::from(*description);
  if (!format) return cudaErrorInvalidChannelDescriptor;
  if (!fits(extent, flags)) return cudaErrorInvalidValue;
  cudaArray a{*format, *description, extent, flags};
  a.memory = static_cast<char*>(d.allocate(a.bytes(), memory_kind::device, caller.where));
  if (a.memory == nullptr) return cudaErrorMemoryAllocation;
  *handle = d.arrays.add(a);
  return cudaSuccess;
}

/// The living array of the handle; null after a report.
cudaArray* array_of(device& d, const api_caller& caller, const void* handle) {
  cudaArray* a = d.arrays.find(handle);
  if (a != nullptr && a->live) return a;
  d.report_host(a == nullptr ? rule::invalid_address : rule::use_after_free, caller.where, "",
                std::string(caller.function) + (a == nullptr ? ": this is no array that cudaMallocArray returned."
                                                             : ": the array was already released."));
  return nullptr;
}

/// Whether `bytes` of each of `rows` rows from (x, y) on lie in the array; x in bytes.
bool is_inside(device& d, const api_caller& caller, const cudaArray& a, std::size_t x, std::size_t y, std::size_t bytes,
               std::size_t rows) {
  const std::size_t all_rows = a.rows() * a.slices();
  if (x <= a.row_bytes() && bytes <= a.row_bytes() - x && y <= all_rows && rows <= all_rows - y) return true;
  d.report_host(rule::out_of_bounds, caller.where, d.map.name(d.map.find(reinterpret_cast<address>(a.memory))->id),
                std::string(caller.function) + ": the array has " + std::to_string(all_rows) + " rows of " +
                    std::to_string(a.row_bytes()) + " bytes; the copy of " + std::to_string(rows) + " x " +
                    std::to_string(bytes) + " bytes leaves it. Widths are given in bytes, heights in rows.");
  return false;
}

bool can_end_on_device(cudaMemcpyKind kind) {
  return kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault;
}
bool can_begin_on_device(cudaMemcpyKind kind) {
  return kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault;
}

error_code copy_to_array(device& d, const api_caller& caller, cudaArray_t to, std::size_t x, std::size_t y,
                         const void* from, std::size_t from_pitch, std::size_t width, std::size_t height,
                         cudaMemcpyKind kind) {
  const cudaArray* a = array_of(d, caller, to);
  if (a == nullptr) return cudaErrorInvalidResourceHandle;
  if (!can_end_on_device(kind)) return cudaErrorInvalidMemcpyDirection;
  if (height > 1 && width > from_pitch) return cudaErrorInvalidPitchValue;
  if (!is_inside(d, caller, *a, x, y, width, height)) return cudaErrorInvalidValue;
  return copy(d, caller, a->memory + y * a->row_bytes() + x, from, {width, height, a->row_bytes(), from_pitch}, kind);
}

error_code copy_from_array(device& d, const api_caller& caller, void* to, std::size_t to_pitch, const void* from,
                           std::size_t x, std::size_t y, std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  const cudaArray* a = array_of(d, caller, from);
  if (a == nullptr) return cudaErrorInvalidResourceHandle;
  if (!can_begin_on_device(kind)) return cudaErrorInvalidMemcpyDirection;
  if (height > 1 && width > to_pitch) return cudaErrorInvalidPitchValue;
  if (!is_inside(d, caller, *a, x, y, width, height)) return cudaErrorInvalidValue;
  return copy(d, caller, to, a->memory + y * a->row_bytes() + x, {width, height, to_pitch, a->row_bytes()}, kind);
}

/// The rows that `bytes` in a row from (x, y) on fill: whole ones, or part of one.
struct stretch {
  std::size_t width, height;
};
stretch stretch_of(const cudaArray& a, std::size_t x, std::size_t bytes) {
  return x == 0 && bytes > a.row_bytes() && bytes % a.row_bytes() == 0 ? stretch{a.row_bytes(), bytes / a.row_bytes()}
                                                                       : stretch{bytes, 1};
}

error_code copy_stretch_to_array(device& d, const api_caller& caller, cudaArray_t to, std::size_t x, std::size_t y,
                                 const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  const cudaArray* a = array_of(d, caller, to);
  if (a == nullptr) return cudaErrorInvalidResourceHandle;
  const stretch s = stretch_of(*a, x, bytes);
  return copy_to_array(d, caller, to, x, y, from, s.width, s.width, s.height, kind);
}

error_code copy_stretch_from_array(device& d, const api_caller& caller, void* to, const void* from, std::size_t x,
                                   std::size_t y, std::size_t bytes, cudaMemcpyKind kind) {
  const cudaArray* a = array_of(d, caller, from);
  if (a == nullptr) return cudaErrorInvalidResourceHandle;
  const stretch s = stretch_of(*a, x, bytes);
  return copy_from_array(d, caller, to, s.width, from, x, y, s.width, s.height, kind);
}

/// One side of a copy of a box, in bytes.
struct box_side {
  char* memory = nullptr;
  std::size_t pitch = 0, rows = 0;
  std::size_t x = 0, y = 0, z = 0;
  const cudaArray* array = nullptr;

  [[nodiscard]] char* slice(std::size_t depth) const { return memory + ((z + depth) * rows + y) * pitch + x; }
};

/// Empty `memory` after a report.
box_side side_of(device& d, const api_caller& caller, cudaArray_t array, const cudaPitchedPtr& pointer,
                 const cudaPos& at) {
  if (array == nullptr)
    return {static_cast<char*>(pointer.ptr), pointer.pitch, pointer.ysize, at.x, at.y, at.z, nullptr};
  const cudaArray* a = array_of(d, caller, array);
  if (a == nullptr) return {};
  return {a->memory, a->row_bytes(), a->rows(), at.x * a->format.bytes(), at.y, at.z, a};
}

}  // namespace

error_code simtlab::emulator::copy_box(device& d, const api_caller& caller, const cudaMemcpy3DParms& what) {
  if ((what.srcArray != nullptr) == (what.srcPtr.ptr != nullptr)) return cudaErrorInvalidValue;
  if ((what.dstArray != nullptr) == (what.dstPtr.ptr != nullptr)) return cudaErrorInvalidValue;
  const box_side from = side_of(d, caller, what.srcArray, what.srcPtr, what.srcPos);
  const box_side to = side_of(d, caller, what.dstArray, what.dstPtr, what.dstPos);
  if (from.memory == nullptr || to.memory == nullptr) return cudaErrorInvalidResourceHandle;
  if (from.array != nullptr && !can_begin_on_device(what.kind)) return cudaErrorInvalidMemcpyDirection;
  if (to.array != nullptr && !can_end_on_device(what.kind)) return cudaErrorInvalidMemcpyDirection;
  // The box's width counts an array's texels where an array takes part.
  const cudaArray* array = from.array != nullptr ? from.array : to.array;
  const std::size_t width = what.extent.width * (array == nullptr ? 1 : array->format.bytes());
  for (const box_side* side : {&from, &to}) {
    if (side->array == nullptr && what.extent.height > 1 && width > side->pitch) return cudaErrorInvalidPitchValue;
    if (side->array == nullptr) continue;
    if (side->y + what.extent.height > side->rows || side->z + what.extent.depth > side->array->slices() ||
        side->x + width > side->pitch) {
      is_inside(d, caller, *side->array, side->x, side->z * side->rows + side->y, width,
                side->array->rows() * side->array->slices() + 1);
      return cudaErrorInvalidValue;
    }
  }
  for (std::size_t z = 0; z < what.extent.depth; ++z) {
    const error_code e =
        copy(d, caller, to.slice(z), from.slice(z), {width, what.extent.height, to.pitch, from.pitch}, what.kind);
    if (e != cudaSuccess) return e;
  }
  return cudaSuccess;
}

namespace {

/// Nulls are not asked for.
error_code describe(device& d, const api_caller& caller, cudaChannelFormatDesc* format, cudaExtent* extent,
                    unsigned* flags, const void* array) {
  if (format != nullptr && !caller.may_set(d, format)) return cudaErrorInvalidValue;
  if (extent != nullptr && !caller.may_set(d, extent)) return cudaErrorInvalidValue;
  if (flags != nullptr && !caller.may_set(d, flags)) return cudaErrorInvalidValue;
  const cudaArray* a = array_of(d, caller, array);
  if (a == nullptr) return cudaErrorInvalidResourceHandle;
  if (format != nullptr) *format = a->description;
  if (extent != nullptr) *extent = a->extent;
  if (flags != nullptr) *flags = a->flags;
  return cudaSuccess;
}

cudaError_t copy_any_box(const api_caller& caller, const cudaMemcpy3DParms* what, cudaStream_t stream) {
  return error(fallible_call(caller, [&](device& d) -> error_code {
    if (!caller.may_load(d, what)) return cudaErrorInvalidValue;
    if (!caller.is_stream(d, stream)) return cudaErrorInvalidResourceHandle;
    const cudaMemcpy3DParms asked = *what;  // the copy may go over it
    if (const auto taken = captured(stream, caller, asked); taken) return *taken;
    return copy_box(d, caller, asked);
  }));
}

}  // namespace

extern "C" {

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format, size_t width, size_t height,
                            unsigned flags) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return error(fallible_call(caller, [&](device& d) {
    return allocate(d, caller, array, format, {width, height, 0}, flags);
  }));
}

cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format, cudaExtent extent,
                              unsigned flags) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return error(fallible_call(caller, [&](device& d) { return allocate(d, caller, array, format, extent, flags); }));
}

cudaError_t cudaFreeArray(cudaArray_t array) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return error(api_call(caller, [&](device& d) -> error_code {
    if (array == nullptr) return cudaSuccess;
    cudaArray* a = d.arrays.find(array);
    if (a == nullptr || !a->live) {
      d.report_host(rule::invalid_free, caller.where, "",
                    a == nullptr ? "cudaFreeArray: this is no array that cudaMallocArray returned."
                                 : "cudaFreeArray: the array was already released.");
      return cudaErrorInvalidValue;
    }
    a->live = false;
    return d.free(a->memory, caller.where);
  }));
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned* flags, cudaArray_t array) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return error(api_call(caller, [&](device& d) { return describe(d, caller, format, extent, flags, array); }));
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t array) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return error(api_call(caller, [&](device& d) -> error_code {
    return format == nullptr ? cudaErrorInvalidValue : describe(d, caller, format, nullptr, nullptr, array);
  }));
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t from_pitch, size_t width,
                                size_t height, cudaMemcpyKind kind) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return error(fallible_call(
      caller, [&](device& d) { return copy_to_array(d, caller, to, x, y, from, from_pitch, width, height, kind); }));
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from, size_t from_pitch,
                                     size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return error(fallible_call(caller, [&](device& d) -> error_code {
    if (!caller.is_stream(d, stream)) return cudaErrorInvalidResourceHandle;
    const in_stream here(d, stream);
    return copy_to_array(d, caller, to, x, y, from, from_pitch, width, height, kind);
  }));
}

cudaError_t cudaMemcpy2DFromArray(void* to, size_t to_pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
                                  size_t height, cudaMemcpyKind kind) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return error(fallible_call(
      caller, [&](device& d) { return copy_from_array(d, caller, to, to_pitch, from, x, y, width, height, kind); }));
}

cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t to_pitch, cudaArray_const_t from, size_t x, size_t y,
                                       size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return error(fallible_call(caller, [&](device& d) -> error_code {
    if (!caller.is_stream(d, stream)) return cudaErrorInvalidResourceHandle;
    const in_stream here(d, stream);
    return copy_from_array(d, caller, to, to_pitch, from, x, y, width, height, kind);
  }));
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from, size_t from_x,
                                     size_t from_y, size_t width, size_t height, cudaMemcpyKind) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return error(fallible_call(caller, [&](device& d) -> error_code {
    const cudaArray* a = array_of(d, caller, from);
    if (a == nullptr) return cudaErrorInvalidResourceHandle;
    if (!is_inside(d, caller, *a, from_x, from_y, width, height)) return cudaErrorInvalidValue;
    return copy_to_array(d, caller, to, to_x, to_y, a->memory + from_y * a->row_bytes() + from_x, a->row_bytes(), width,
                         height, cudaMemcpyDeviceToDevice);
  }));
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes, cudaMemcpyKind kind) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return error(
      fallible_call(caller, [&](device& d) { return copy_stretch_to_array(d, caller, to, x, y, from, bytes, kind); }));
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                                   cudaMemcpyKind kind, cudaStream_t stream) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return error(fallible_call(caller, [&](device& d) -> error_code {
    if (!caller.is_stream(d, stream)) return cudaErrorInvalidResourceHandle;
    const in_stream here(d, stream);
    return copy_stretch_to_array(d, caller, to, x, y, from, bytes, kind);
  }));
}

cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                cudaMemcpyKind kind) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return error(fallible_call(
      caller, [&](device& d) { return copy_stretch_from_array(d, caller, to, from, x, y, bytes, kind); }));
}

cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                     cudaMemcpyKind kind, cudaStream_t stream) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return error(fallible_call(caller, [&](device& d) -> error_code {
    if (!caller.is_stream(d, stream)) return cudaErrorInvalidResourceHandle;
    const in_stream here(d, stream);
    return copy_stretch_from_array(d, caller, to, from, x, y, bytes, kind);
  }));
}

cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from, size_t from_x,
                                   size_t from_y, size_t bytes, cudaMemcpyKind) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return error(fallible_call(caller, [&](device& d) -> error_code {
    const cudaArray* a = array_of(d, caller, from);
    if (a == nullptr) return cudaErrorInvalidResourceHandle;
    const stretch s = stretch_of(*a, from_x, bytes);
    if (!is_inside(d, caller, *a, from_x, from_y, s.width, s.height)) return cudaErrorInvalidValue;
    return copy_stretch_to_array(d, caller, to, to_x, to_y, a->memory + from_y * a->row_bytes() + from_x, bytes,
                                 cudaMemcpyDeviceToDevice);
  }));
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* what) { return copy_any_box(SIMTLAB_API_CALLER, what, nullptr); }
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* what, cudaStream_t stream) {
  return copy_any_box(SIMTLAB_API_CALLER, what, stream);
}

}  // extern "C"
