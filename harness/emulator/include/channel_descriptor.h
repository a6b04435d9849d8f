// cudaCreateChannelDesc<T>(): the format of a texel of type T.
#pragma once  // IWYU pragma: private, include <cuda_runtime.h>
#pragma GCC system_header
#define __CHANNEL_DESCRIPTOR_H__  // the toolkit's guard, for headers that look for it

#include "cuda_runtime_api.h"
#ifdef __cplusplus
#include "simtlab/texel.h"

template <class T>
inline cudaChannelFormatDesc cudaCreateChannelDesc() {
  using texel = simtlab::texel<T>;
  constexpr int bits = 8 * static_cast<int>(sizeof(typename texel::component));
  return cudaChannelFormatDesc{bits, texel::channels > 1 ? bits : 0, texel::channels > 2 ? bits : 0,
                               texel::channels > 3 ? bits : 0, static_cast<cudaChannelFormatKind>(texel::kind)};
}
template <>
inline cudaChannelFormatDesc cudaCreateChannelDesc<void>() {
  return cudaChannelFormatDesc{0, 0, 0, 0, cudaChannelFormatKindNone};
}
#endif
