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
SIMTLAB_FETCH T tex1D(cudaTextureObject_t texture, float x) {
  return simtlab::texel<T>::make(simtlab_fetch(texture, simtlab::texel<T>::code, 1, x, 0, 0));
}
template <class T>
SIMTLAB_FETCH T tex2D(cudaTextureObject_t texture, float x, float y) {
  return simtlab::texel<T>::make(simtlab_fetch(texture, simtlab::texel<T>::code, 2, x, y, 0));
}
template <class T>
SIMTLAB_FETCH T tex3D(cudaTextureObject_t texture, float x, float y, float z) {
  return simtlab::texel<T>::make(simtlab_fetch(texture, simtlab::texel<T>::code, 3, x, y, z));
}
// A layer outside is the nearest one.
template <class T>
SIMTLAB_FETCH T tex1DLayered(cudaTextureObject_t texture, float x, int layer) {
  return simtlab::texel<T>::make(
      simtlab_fetch(texture, simtlab::texel<T>::code, 4 + 1, x, 0, static_cast<float>(layer)));
}
template <class T>
SIMTLAB_FETCH T tex2DLayered(cudaTextureObject_t texture, float x, float y, int layer) {
  return simtlab::texel<T>::make(
      simtlab_fetch(texture, simtlab::texel<T>::code, 4 + 2, x, y, static_cast<float>(layer)));
}
template <class T>
SIMTLAB_FETCH void tex1Dfetch(T* result, cudaTextureObject_t texture, int x) {
  *result = tex1Dfetch<T>(texture, x);
}
template <class T>
SIMTLAB_FETCH void tex1D(T* result, cudaTextureObject_t texture, float x) {
  *result = tex1D<T>(texture, x);
}
template <class T>
SIMTLAB_FETCH void tex2D(T* result, cudaTextureObject_t texture, float x, float y) {
  *result = tex2D<T>(texture, x, y);
}
template <class T>
SIMTLAB_FETCH void tex3D(T* result, cudaTextureObject_t texture, float x, float y, float z) {
  *result = tex3D<T>(texture, x, y, z);
}
template <class T>
SIMTLAB_FETCH void tex1DLayered(T* result, cudaTextureObject_t texture, float x, int layer) {
  *result = tex1DLayered<T>(texture, x, layer);
}
template <class T>
SIMTLAB_FETCH void tex2DLayered(T* result, cudaTextureObject_t texture, float x, float y, int layer) {
  *result = tex2DLayered<T>(texture, x, y, layer);
}

#undef SIMTLAB_FETCH
