// Complex numbers by CUDA's names.
#pragma once
#pragma GCC system_header
#define CU_COMPLEX_H_  // the toolkit's guard, for headers that look for it

#include <math.h>

#include "vector_functions.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define SIMTLAB_COMPLEX(type, real, suffix, make, root)                                                     \
  inline type make_##type(real x, real y) { return make(x, y); }                                            \
  inline real cuCreal##suffix(type z) { return z.x; }                                                       \
  inline real cuCimag##suffix(type z) { return z.y; }                                                       \
  inline type cuConj##suffix(type z) { return make(z.x, -z.y); }                                            \
  inline type cuCadd##suffix(type a, type b) { return make(a.x + b.x, a.y + b.y); }                         \
  inline type cuCsub##suffix(type a, type b) { return make(a.x - b.x, a.y - b.y); }                         \
  inline type cuCmul##suffix(type a, type b) { return make(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); } \
  inline type cuCdiv##suffix(type a, type b) {                                                              \
    const real n = b.x * b.x + b.y * b.y;                                                                   \
    return make((a.x * b.x + a.y * b.y) / n, (a.y * b.x - a.x * b.y) / n);                                  \
  }                                                                                                         \
  inline real cuCabs##suffix(type z) { return root(z.x, z.y); }

SIMTLAB_COMPLEX(cuFloatComplex, float, f, make_float2, hypotf)
SIMTLAB_COMPLEX(cuDoubleComplex, double, , make_double2, hypot)
#undef SIMTLAB_COMPLEX
inline cuComplex make_cuComplex(float x, float y) { return make_float2(x, y); }
