// Complex numbers by CUDA's names.
#pragma once
#pragma GCC system_header
#define CU_COMPLEX_H_  // the toolkit's guard, for headers that look for it

#include <math.h>

#include "vector_functions.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#ifdef __cplusplus
#define SIMTLAB_COMPLEX_FUNCTION inline
#else
#define SIMTLAB_COMPLEX_FUNCTION static inline __attribute__((unused))
#endif
#define SIMTLAB_COMPLEX(type, real, suffix, make, root)                                               \
  SIMTLAB_COMPLEX_FUNCTION type make_##type(real x, real y) { return make(x, y); }                    \
  SIMTLAB_COMPLEX_FUNCTION real cuCreal##suffix(type z) { return z.x; }                               \
  SIMTLAB_COMPLEX_FUNCTION real cuCimag##suffix(type z) { return z.y; }                               \
  SIMTLAB_COMPLEX_FUNCTION type cuConj##suffix(type z) { return make(z.x, -z.y); }                    \
  SIMTLAB_COMPLEX_FUNCTION type cuCadd##suffix(type a, type b) { return make(a.x + b.x, a.y + b.y); } \
  SIMTLAB_COMPLEX_FUNCTION type cuCsub##suffix(type a, type b) { return make(a.x - b.x, a.y - b.y); } \
  SIMTLAB_COMPLEX_FUNCTION type cuCmul##suffix(type a, type b) {                                      \
    return make(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                                        \
  }                                                                                                   \
  SIMTLAB_COMPLEX_FUNCTION type cuCdiv##suffix(type a, type b) {                                      \
    const real n = b.x * b.x + b.y * b.y;                                                             \
    return make((a.x * b.x + a.y * b.y) / n, (a.y * b.x - a.x * b.y) / n);                            \
  }                                                                                                   \
  SIMTLAB_COMPLEX_FUNCTION real cuCabs##suffix(type z) { return root(z.x, z.y); }

SIMTLAB_COMPLEX(cuFloatComplex, float, f, make_float2, hypotf)
SIMTLAB_COMPLEX(cuDoubleComplex, double, , make_double2, hypot)
#undef SIMTLAB_COMPLEX
SIMTLAB_COMPLEX_FUNCTION cuComplex make_cuComplex(float x, float y) { return make_float2(x, y); }
