// Surface objects: made and destroyed by host code, read and written by kernels.
#include <algorithm>
#include <array>
#include <mutex>
#include <string>

#include "core/closed_memory.h"
#include "include/cuda_runtime.h"
#include "include/simtlab/emulator_entry.h"
#include "runtime/api_call.h"
#include "runtime/cuda_error.h"
#include "runtime/surface.h"
#include "scheduler/worker.h"
#include "trace/hook_state.h"

using namespace simtlab::emulator;

namespace {

/// How many places there are in each direction, x in bytes.
std::array<std::int64_t, 3> extent_of(const cudaArray& a) {
  return {static_cast<std::int64_t>(a.row_bytes()), static_cast<std::int64_t>(a.rows()),
          static_cast<std::int64_t>(a.slices())};
}

std::string place_text(const std::array<std::int64_t, 3>& at, const array_kind& kind) {
  std::string text = "byte " + std::to_string(at[0]);
  if (kind.dimensions > 1) text += ", row " + std::to_string(at[1]);
  if (kind.dimensions > 2) text += ", slice " + std::to_string(at[2]);
  if (kind.cubemap) text += (kind.layered ? ", layerFace " : ", face ") + std::to_string(at[2]);
  if (kind.layered && !kind.cubemap) text += ", layer " + std::to_string(at[2]);
  return text;
}

std::string why_none(const cudaResourceDesc& resource, const cudaArray* array) {
  if (resource.resType != cudaResourceTypeArray)
    return "A surface needs an array (cudaResourceTypeArray, from cudaMallocArray). Memory of cudaMalloc is written "
           "through "
           "its pointer.";
  if (array == nullptr) return "The array's handle was never returned by cudaMallocArray.";
  if (!array->live) return "The array was already released.";
  if ((array->flags & cudaArraySurfaceLoadStore) == 0)
    return "The array was made without cudaArraySurfaceLoadStore, the last argument of cudaMallocArray.";
  return "";
}

}  // namespace

extern "C" {

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const cudaResourceDesc* resource) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return error(fallible_call(caller, [&](device& d) -> error_code {
    if (!caller.may_set(d, object) || !caller.may_load(d, resource)) return cudaErrorInvalidValue;
    *object = 0;
    const cudaArray* const array =
        resource->resType == cudaResourceTypeArray ? d.arrays.find(resource->res.array.array) : nullptr;
    if (const std::string problem = why_none(*resource, array); !problem.empty()) {
      d.report_host(rule::texture_mismatch, caller.where, "", "cudaCreateSurfaceObject: " + problem);
      return cudaErrorInvalidValue;
    }
    *object = d.surfaces.add({array, d.map.find(reinterpret_cast<address>(array->memory))->id});
    return cudaSuccess;
  }));
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return error(api_call(caller, [&](device& d) -> error_code {
    surface* const s = d.surfaces.find(object);
    if (object == 0) return cudaSuccess;
    if (s == nullptr || !s->live) return cudaErrorInvalidValue;
    s->live = false;
    return cudaSuccess;
  }));
}

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource, cudaSurfaceObject_t object) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return error(api_call(caller, [&](device& d) -> error_code {
    const surface* const s = d.surfaces.find(object);
    if (!caller.may_set(d, resource) || s == nullptr || !s->live) return cudaErrorInvalidValue;
    *resource = {};
    resource->resType = cudaResourceTypeArray;
    resource->res.array.array = const_cast<cudaArray*>(s->array);
    return cudaSuccess;
  }));
}

void* simtlab_surface_texel(uint64_t object, unsigned width, unsigned code, int x, int y, int z, int mode) {
  const array_kind kind = array_kind::from_code(code);
  const site where = site_at(__builtin_return_address(0));
  device& d = device::instance();
  worker* const w = worker::current();
  if (is_memory_closed() || w == nullptr || !w->in_lane()) {
    const emulator_call inside;
    const std::lock_guard guard(d.lock);
    d.report_host(rule::unsupported, where, "", "Host code reads or writes a surface, which only a kernel may do.");
    return nullptr;
  }
  const surface* const s = d.surfaces.find(object);
  if (s == nullptr || !s->live)
    w->end_lane(s == nullptr ? rule::invalid_address : rule::use_after_free, where,
                s == nullptr ? "This is no surface object: cudaCreateSurfaceObject makes one. Did it succeed?"
                             : "The surface object was destroyed before the kernel ran.",
                stop_reason::illegal_address);
  if (!d.map.region(s->memory).live)
    w->end_lane(
        rule::use_after_free, where,
        "The array of the surface was released before the kernel ran. Release it after the last kernel that uses "
        "the surface.",
        stop_reason::illegal_address);
  if (kind != s->array->kind())
    w->end_lane(rule::texture_mismatch, where,
                "surf" + kind.name() +
                    "read and write are for another kind of array than the surface's, which takes surf" +
                    s->array->kind().name() + "read and write.",
                stop_reason::illegal_address);
  const std::array<std::int64_t, 3> extent = extent_of(*s->array);
  std::array<std::int64_t, 3> at{x, y, z};
  const std::array<std::int64_t, 3> last{extent[0] - width, extent[1] - 1, extent[2] - 1};
  bool is_inside = true;
  for (std::size_t i = 0; i < at.size(); ++i) is_inside = is_inside && at[i] >= 0 && at[i] <= last[i];
  if (!is_inside) {
    if (mode == cudaBoundaryModeZero) return nullptr;
    if (mode != cudaBoundaryModeClamp)
      w->end_lane(rule::out_of_bounds, where,
                  std::to_string(width) + " bytes at " + place_text(at, kind) +
                      " lie outside of the surface, which has " + std::to_string(extent[1] * extent[2]) + " rows of " +
                      std::to_string(extent[0]) +
                      " bytes. x counts bytes: multiply an index by sizeof. cudaBoundaryModeZero or "
                      "cudaBoundaryModeClamp allow coordinates outside.",
                  stop_reason::illegal_address);
    for (std::size_t i = 0; i < at.size(); ++i)
      at[i] = std::clamp<std::int64_t>(at[i], 0, std::max<std::int64_t>(last[i], 0));
  }
  if (at[0] % width != 0)
    w->end_lane(rule::misaligned, where,
                "An access of " + std::to_string(width) + " bytes begins at byte " + std::to_string(at[0]) +
                    " of a row, which is no multiple of its width. x counts bytes: multiply an index by sizeof.",
                stop_reason::misaligned);
  const auto row = static_cast<std::size_t>(at[2]) * s->array->rows() + static_cast<std::size_t>(at[1]);
  return s->array->memory + row * s->array->row_bytes() + static_cast<std::size_t>(at[0]);
}

}  // extern "C"
