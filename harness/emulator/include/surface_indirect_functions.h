// Reads and writes through surface objects (CUDA C++ Programming Guide, "Surface Functions"). x counts bytes; nothing is
// converted. The accesses are ones of global memory to counters and checks.
#pragma once  // IWYU pragma: private, include <cuda_runtime.h>
#pragma GCC system_header
#define __SURFACE_INDIRECT_FUNCTIONS_H__  // the toolkit's guard, for headers that look for it

#include "host_defines.h"
#include "simtlab/emulator_entry.h"
#include "surface_types.h"

#define SIMTLAB_SURFACE __device__ inline __attribute__((always_inline, artificial))

namespace simtlab {
template <class T>
SIMTLAB_SURFACE T surface_read(cudaSurfaceObject_t surface, unsigned kind, int x, int y, int z, int mode) {
  const void* const texel = simtlab_surface_texel(surface, sizeof(T), kind, x, y, z, mode);
  T value{};
  if (texel != nullptr) value = *static_cast<const T*>(texel);
  return value;
}
template <class T>
SIMTLAB_SURFACE void surface_write(T value, cudaSurfaceObject_t surface, unsigned kind, int x, int y, int z, int mode) {
  void* const texel = simtlab_surface_texel(surface, sizeof(T), kind, x, y, z, mode);
  if (texel != nullptr) *static_cast<T*>(texel) = value;
}
}  // namespace simtlab

// Name, coordinates as parameters and as x, y, z; the kind: dimensions, and 4 of layers, 8 of a cubemap.
#define SIMTLAB_SURFACE_FUNCTIONS(name, kind, parameters, coordinates)                             \
  template <class T>                                                                               \
  SIMTLAB_SURFACE T name##read(cudaSurfaceObject_t surface, SIMTLAB_LIST parameters,               \
                               cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {              \
    return simtlab::surface_read<T>(surface, kind, SIMTLAB_LIST coordinates, mode);                \
  }                                                                                                \
  template <class T>                                                                               \
  SIMTLAB_SURFACE void name##read(T* result, cudaSurfaceObject_t surface, SIMTLAB_LIST parameters, \
                                  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {           \
    *result = simtlab::surface_read<T>(surface, kind, SIMTLAB_LIST coordinates, mode);             \
  }                                                                                                \
  template <class T>                                                                               \
  SIMTLAB_SURFACE void name##write(T value, cudaSurfaceObject_t surface, SIMTLAB_LIST parameters,  \
                                   cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {          \
    simtlab::surface_write<T>(value, surface, kind, SIMTLAB_LIST coordinates, mode);               \
  }
#define SIMTLAB_LIST(...) __VA_ARGS__

SIMTLAB_SURFACE_FUNCTIONS(surf1D, 1, (int x), (x, 0, 0))
SIMTLAB_SURFACE_FUNCTIONS(surf2D, 2, (int x, int y), (x, y, 0))
SIMTLAB_SURFACE_FUNCTIONS(surf3D, 3, (int x, int y, int z), (x, y, z))
SIMTLAB_SURFACE_FUNCTIONS(surf1DLayered, 5, (int x, int layer), (x, 0, layer))
SIMTLAB_SURFACE_FUNCTIONS(surf2DLayered, 6, (int x, int y, int layer), (x, y, layer))
SIMTLAB_SURFACE_FUNCTIONS(surfCubemap, 10, (int x, int y, int face), (x, y, face))
SIMTLAB_SURFACE_FUNCTIONS(surfCubemapLayered, 14, (int x, int y, int layerFace), (x, y, layerFace))

#undef SIMTLAB_LIST
#undef SIMTLAB_SURFACE_FUNCTIONS
#undef SIMTLAB_SURFACE
