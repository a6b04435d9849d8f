// Operators of CUB: functors of two values, with the names that they had until CUDA 12, and CUDA's own of later ones.
#pragma once
#ifndef __clang__  // ../../device_functions.h
#pragma GCC system_header
#endif

#include <type_traits>

#include "../../cuda/functional"
#include "../../host_defines.h"

#define SIMTLAB_CUB_OPERATOR(name, expression)                                                                    \
  struct name {                                                                                                   \
    template <class One, class Other>                                                                             \
    __host__ __device__ inline __attribute__((always_inline, artificial)) auto operator()(const One& a,           \
                                                                                          const Other& b) const { \
      return expression;                                                                                          \
    }                                                                                                             \
  };

namespace cub {

SIMTLAB_CUB_OPERATOR(Sum, a + b)
SIMTLAB_CUB_OPERATOR(Difference, a - b)
SIMTLAB_CUB_OPERATOR(Division, a / b)
SIMTLAB_CUB_OPERATOR(Equality, a == b)
SIMTLAB_CUB_OPERATOR(Inequality, !(a == b))
using Max = ::cuda::maximum<>;
using Min = ::cuda::minimum<>;

/// Of two pairs the one with the smaller value; of equal values the smaller key.
struct ArgMin {
  template <class Pair>
  __host__ __device__ inline __attribute__((always_inline, artificial)) Pair operator()(const Pair& a,
                                                                                        const Pair& b) const {
    return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};
struct ArgMax {
  template <class Pair>
  __host__ __device__ inline __attribute__((always_inline, artificial)) Pair operator()(const Pair& a,
                                                                                        const Pair& b) const {
    return a.value < b.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};

}  // namespace cub

#undef SIMTLAB_CUB_OPERATOR
