// Fetches through texture objects (CUDA C++ Programming Guide, "Texture Functions").
#pragma once  // IWYU pragma: private, include <cuda_runtime.h>
#pragma GCC system_header
#define __TEXTURE_INDIRECT_FUNCTIONS_H__  // the toolkit's guard, for headers that look for it

#include "host_defines.h"
#include "simtlab/texel.h"
#include "texture_types.h"

#define SIMTLAB_FETCH __device__ inline __attribute__((always_inline, artificial))

template <class T>
SIMTLAB_FETCH T tex1Dfetch(cudaTextureObject_t texture, int x) {
  return simtlab::texel<T>::make(simtlab_fetch_element(texture, simtlab::texel<T>::code, x));
}
template <class T>
SIMTLAB_FETCH void tex1Dfetch(T* result, cudaTextureObject_t texture, int x) {
  *result = tex1Dfetch<T>(texture, x);
}

// Name; the kind, as simtlab_fetch has it; coordinates as parameters and as x, y, z, layer. A layer outside, below 0, too, is the last one. A
// level of detail is of no account: no texture has mipmaps.
#define SIMTLAB_FETCHES(name, kind, parameters, coordinates)                                                         \
  template <class T>                                                                                                 \
  SIMTLAB_FETCH T name(cudaTextureObject_t texture, SIMTLAB_LIST parameters) {                                       \
    return simtlab::texel<T>::make(simtlab_fetch(texture, simtlab::texel<T>::code, kind, SIMTLAB_LIST coordinates)); \
  }                                                                                                                  \
  template <class T>                                                                                                 \
  SIMTLAB_FETCH void name(T* result, cudaTextureObject_t texture, SIMTLAB_LIST parameters) {                         \
    *result =                                                                                                        \
        simtlab::texel<T>::make(simtlab_fetch(texture, simtlab::texel<T>::code, kind, SIMTLAB_LIST coordinates));    \
  }                                                                                                                  \
  template <class T>                                                                                                 \
  SIMTLAB_FETCH T name##Lod(cudaTextureObject_t texture, SIMTLAB_LIST parameters, float) {                           \
    return simtlab::texel<T>::make(simtlab_fetch(texture, simtlab::texel<T>::code, kind, SIMTLAB_LIST coordinates)); \
  }                                                                                                                  \
  template <class T>                                                                                                 \
  SIMTLAB_FETCH void name##Lod(T* result, cudaTextureObject_t texture, SIMTLAB_LIST parameters, float) {             \
    *result =                                                                                                        \
        simtlab::texel<T>::make(simtlab_fetch(texture, simtlab::texel<T>::code, kind, SIMTLAB_LIST coordinates));    \
  }
#define SIMTLAB_LIST(...) __VA_ARGS__

SIMTLAB_FETCHES(tex1D, 1, (float x), (x, 0, 0, 0))
SIMTLAB_FETCHES(tex2D, 2, (float x, float y), (x, y, 0, 0))
SIMTLAB_FETCHES(tex3D, 3, (float x, float y, float z), (x, y, z, 0))
SIMTLAB_FETCHES(tex1DLayered, 4 + 1, (float x, int layer), (x, 0, 0, layer))
SIMTLAB_FETCHES(tex2DLayered, 4 + 2, (float x, float y, int layer), (x, y, 0, layer))
SIMTLAB_FETCHES(texCubemap, 8 + 2, (float x, float y, float z), (x, y, z, 0))
SIMTLAB_FETCHES(texCubemapLayered, 8 + 4 + 2, (float x, float y, float z, int layer), (x, y, z, layer))

#undef SIMTLAB_LIST
#undef SIMTLAB_FETCHES
#undef SIMTLAB_FETCH
