// Mathematics of device code: min and max with CUDA's overloads, the intrinsics, the functions that libm lacks.
// Intrinsics are computed at full precision, so they are at least as accurate as the hardware's.
#pragma once       // IWYU pragma: private, include <cuda_runtime.h>
#ifndef __clang__  // whose completion hides names like __shfl_sync of system headers
#pragma GCC system_header
#endif
#define __MATH_FUNCTIONS_H__  // the toolkit's guard, for headers that look for it

#include <limits.h>
#include <math.h>
#include <stdint.h>

#include "simtlab/emulator_entry.h"

#define SIMTLAB_MATH inline __attribute__((always_inline, artificial))

// min and max: the overloads that CUDA declares, none of them a template, so that they coexist with std::min.
SIMTLAB_MATH int min(int a, int b) {
  return static_cast<int>(a) < static_cast<int>(b) ? static_cast<int>(a) : static_cast<int>(b);
}
SIMTLAB_MATH int max(int a, int b) {
  return static_cast<int>(a) > static_cast<int>(b) ? static_cast<int>(a) : static_cast<int>(b);
}
SIMTLAB_MATH unsigned int min(unsigned int a, unsigned int b) {
  return static_cast<unsigned int>(a) < static_cast<unsigned int>(b) ? static_cast<unsigned int>(a)
                                                                     : static_cast<unsigned int>(b);
}
SIMTLAB_MATH unsigned int max(unsigned int a, unsigned int b) {
  return static_cast<unsigned int>(a) > static_cast<unsigned int>(b) ? static_cast<unsigned int>(a)
                                                                     : static_cast<unsigned int>(b);
}
SIMTLAB_MATH unsigned int min(int a, unsigned int b) {
  return static_cast<unsigned int>(a) < static_cast<unsigned int>(b) ? static_cast<unsigned int>(a)
                                                                     : static_cast<unsigned int>(b);
}
SIMTLAB_MATH unsigned int max(int a, unsigned int b) {
  return static_cast<unsigned int>(a) > static_cast<unsigned int>(b) ? static_cast<unsigned int>(a)
                                                                     : static_cast<unsigned int>(b);
}
SIMTLAB_MATH unsigned int min(unsigned int a, int b) {
  return static_cast<unsigned int>(a) < static_cast<unsigned int>(b) ? static_cast<unsigned int>(a)
                                                                     : static_cast<unsigned int>(b);
}
SIMTLAB_MATH unsigned int max(unsigned int a, int b) {
  return static_cast<unsigned int>(a) > static_cast<unsigned int>(b) ? static_cast<unsigned int>(a)
                                                                     : static_cast<unsigned int>(b);
}
SIMTLAB_MATH long min(long a, long b) {
  return static_cast<long>(a) < static_cast<long>(b) ? static_cast<long>(a) : static_cast<long>(b);
}
SIMTLAB_MATH long max(long a, long b) {
  return static_cast<long>(a) > static_cast<long>(b) ? static_cast<long>(a) : static_cast<long>(b);
}
SIMTLAB_MATH unsigned long min(unsigned long a, unsigned long b) {
  return static_cast<unsigned long>(a) < static_cast<unsigned long>(b) ? static_cast<unsigned long>(a)
                                                                       : static_cast<unsigned long>(b);
}
SIMTLAB_MATH unsigned long max(unsigned long a, unsigned long b) {
  return static_cast<unsigned long>(a) > static_cast<unsigned long>(b) ? static_cast<unsigned long>(a)
                                                                       : static_cast<unsigned long>(b);
}
SIMTLAB_MATH unsigned long min(long a, unsigned long b) {
  return static_cast<unsigned long>(a) < static_cast<unsigned long>(b) ? static_cast<unsigned long>(a)
                                                                       : static_cast<unsigned long>(b);
}
SIMTLAB_MATH unsigned long max(long a, unsigned long b) {
  return static_cast<unsigned long>(a) > static_cast<unsigned long>(b) ? static_cast<unsigned long>(a)
                                                                       : static_cast<unsigned long>(b);
}
SIMTLAB_MATH unsigned long min(unsigned long a, long b) {
  return static_cast<unsigned long>(a) < static_cast<unsigned long>(b) ? static_cast<unsigned long>(a)
                                                                       : static_cast<unsigned long>(b);
}
SIMTLAB_MATH unsigned long max(unsigned long a, long b) {
  return static_cast<unsigned long>(a) > static_cast<unsigned long>(b) ? static_cast<unsigned long>(a)
                                                                       : static_cast<unsigned long>(b);
}
SIMTLAB_MATH long long min(long long a, long long b) {
  return static_cast<long long>(a) < static_cast<long long>(b) ? static_cast<long long>(a) : static_cast<long long>(b);
}
SIMTLAB_MATH long long max(long long a, long long b) {
  return static_cast<long long>(a) > static_cast<long long>(b) ? static_cast<long long>(a) : static_cast<long long>(b);
}
SIMTLAB_MATH unsigned long long min(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>(a) < static_cast<unsigned long long>(b) ? static_cast<unsigned long long>(a)
                                                                                 : static_cast<unsigned long long>(b);
}
SIMTLAB_MATH unsigned long long max(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>(a) > static_cast<unsigned long long>(b) ? static_cast<unsigned long long>(a)
                                                                                 : static_cast<unsigned long long>(b);
}
SIMTLAB_MATH unsigned long long min(long long a, unsigned long long b) {
  return static_cast<unsigned long long>(a) < static_cast<unsigned long long>(b) ? static_cast<unsigned long long>(a)
                                                                                 : static_cast<unsigned long long>(b);
}
SIMTLAB_MATH unsigned long long max(long long a, unsigned long long b) {
  return static_cast<unsigned long long>(a) > static_cast<unsigned long long>(b) ? static_cast<unsigned long long>(a)
                                                                                 : static_cast<unsigned long long>(b);
}
SIMTLAB_MATH unsigned long long min(unsigned long long a, long long b) {
  return static_cast<unsigned long long>(a) < static_cast<unsigned long long>(b) ? static_cast<unsigned long long>(a)
                                                                                 : static_cast<unsigned long long>(b);
}
SIMTLAB_MATH unsigned long long max(unsigned long long a, long long b) {
  return static_cast<unsigned long long>(a) > static_cast<unsigned long long>(b) ? static_cast<unsigned long long>(a)
                                                                                 : static_cast<unsigned long long>(b);
}
SIMTLAB_MATH float min(float a, float b) { return fminf(a, b); }
SIMTLAB_MATH double min(double a, double b) { return fmin(a, b); }
SIMTLAB_MATH double min(float a, double b) { return fmin(a, b); }
SIMTLAB_MATH double min(double a, float b) { return fmin(a, b); }
SIMTLAB_MATH float max(float a, float b) { return fmaxf(a, b); }
SIMTLAB_MATH double max(double a, double b) { return fmax(a, b); }
SIMTLAB_MATH double max(float a, double b) { return fmax(a, b); }
SIMTLAB_MATH double max(double a, float b) { return fmax(a, b); }
SIMTLAB_MATH unsigned int umin(unsigned int a, unsigned int b) { return min(a, b); }
SIMTLAB_MATH unsigned int umax(unsigned int a, unsigned int b) { return max(a, b); }
SIMTLAB_MATH long long llmin(long long a, long long b) { return min(a, b); }
SIMTLAB_MATH long long llmax(long long a, long long b) { return max(a, b); }
SIMTLAB_MATH unsigned long long ullmin(unsigned long long a, unsigned long long b) { return min(a, b); }
SIMTLAB_MATH unsigned long long ullmax(unsigned long long a, unsigned long long b) { return max(a, b); }

// Fast variants. glibc declares some of these names for itself, as C functions, without offering them.
#ifdef SIMTLAB_FRONT_END  // declared is enough
extern "C" {
float __sinf(float) noexcept;
float __cosf(float) noexcept;
float __tanf(float) noexcept;
float __tanhf(float) noexcept;
float __expf(float) noexcept;
float __exp10f(float) noexcept;
float __logf(float) noexcept;
float __log2f(float) noexcept;
float __log10f(float) noexcept;
float __powf(float, float) noexcept;
void __sincosf(float, float*, float*) noexcept;
}
#else
#define SIMTLAB_FAST extern "C" inline __attribute__((always_inline, artificial, gnu_inline))
SIMTLAB_FAST float __sinf(float x) noexcept { return sinf(x); }
SIMTLAB_FAST float __cosf(float x) noexcept { return cosf(x); }
SIMTLAB_FAST float __tanf(float x) noexcept { return tanf(x); }
SIMTLAB_FAST float __expf(float x) noexcept { return expf(x); }
SIMTLAB_FAST float __exp10f(float x) noexcept { return exp10f(x); }
SIMTLAB_FAST float __logf(float x) noexcept { return logf(x); }
SIMTLAB_FAST float __log2f(float x) noexcept { return log2f(x); }
SIMTLAB_FAST float __log10f(float x) noexcept { return log10f(x); }
SIMTLAB_FAST float __powf(float x, float y) noexcept { return powf(x, y); }
SIMTLAB_FAST void __sincosf(float x, float* sine, float* cosine) noexcept { sincosf(x, sine, cosine); }
#undef SIMTLAB_FAST
SIMTLAB_MATH float __tanhf(float x) { return tanhf(x); }
#endif
SIMTLAB_MATH float __fdividef(float a, float b) { return a / b; }
SIMTLAB_MATH float fdividef(float a, float b) { return a / b; }
SIMTLAB_MATH double fdivide(double a, double b) { return a / b; }
SIMTLAB_MATH float __saturatef(float x) { return fminf(fmaxf(x, 0.0f), 1.0f); }

// Arithmetic that the compiler must not fuse; rounding to nearest even. g++ fuses with -fmad=true alone.
#ifdef SIMTLAB_CONTRACTED
#ifdef __x86_64__
#define SIMTLAB_APART(value) __asm__("" : "+x"(value))
#else
#define SIMTLAB_APART(value) __asm__("" : "+w"(value))
#endif
#else
#define SIMTLAB_APART(value) static_cast<void>(value)
#endif
SIMTLAB_MATH float __fadd_rn(float a, float b) {
  SIMTLAB_APART(a);
  SIMTLAB_APART(b);
  return a + b;
}
SIMTLAB_MATH float __fsub_rn(float a, float b) {
  SIMTLAB_APART(a);
  SIMTLAB_APART(b);
  return a - b;
}
SIMTLAB_MATH float __fmul_rn(float a, float b) {
  float product = a * b;
  SIMTLAB_APART(product);
  return product;
}
SIMTLAB_MATH float __fdiv_rn(float a, float b) { return a / b; }
SIMTLAB_MATH float __frcp_rn(float x) { return 1 / x; }
SIMTLAB_MATH float __fsqrt_rn(float x) { return sqrtf(x); }
SIMTLAB_MATH double __dadd_rn(double a, double b) {
  SIMTLAB_APART(a);
  SIMTLAB_APART(b);
  return a + b;
}
SIMTLAB_MATH double __dsub_rn(double a, double b) {
  SIMTLAB_APART(a);
  SIMTLAB_APART(b);
  return a - b;
}
SIMTLAB_MATH double __dmul_rn(double a, double b) {
  double product = a * b;
  SIMTLAB_APART(product);
  return product;
}
SIMTLAB_MATH double __ddiv_rn(double a, double b) { return a / b; }
SIMTLAB_MATH double __drcp_rn(double x) { return 1 / x; }
SIMTLAB_MATH double __dsqrt_rn(double x) { return sqrt(x); }
SIMTLAB_MATH float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
SIMTLAB_MATH double __fma_rn(double a, double b, double c) { return fma(a, b, c); }
SIMTLAB_MATH float __frsqrt_rn(float x) { return static_cast<float>(1.0 / sqrt(static_cast<double>(x))); }
#undef SIMTLAB_APART

// Rounded to zero, up and down: by the processor's own mode, which only the runtime sets.
SIMTLAB_MATH float __fadd_rz(float a, float b) {
  return simtlab_rounded_float(simtlab_rounded_add, simtlab_round_to_zero, a, b, 0.0f);
}
SIMTLAB_MATH float __fsub_rz(float a, float b) {
  return simtlab_rounded_float(simtlab_rounded_subtract, simtlab_round_to_zero, a, b, 0.0f);
}
SIMTLAB_MATH float __fmul_rz(float a, float b) {
  return simtlab_rounded_float(simtlab_rounded_multiply, simtlab_round_to_zero, a, b, 0.0f);
}
SIMTLAB_MATH float __fdiv_rz(float a, float b) {
  return simtlab_rounded_float(simtlab_rounded_divide, simtlab_round_to_zero, a, b, 0.0f);
}
SIMTLAB_MATH float __frcp_rz(float x) {
  return simtlab_rounded_float(simtlab_rounded_divide, simtlab_round_to_zero, 1.0f, x, 0.0f);
}
SIMTLAB_MATH float __fsqrt_rz(float x) {
  return simtlab_rounded_float(simtlab_rounded_square_root, simtlab_round_to_zero, x, 0.0f, 0.0f);
}
SIMTLAB_MATH float __fmaf_rz(float a, float b, float c) {
  return simtlab_rounded_float(simtlab_rounded_fused, simtlab_round_to_zero, a, b, c);
}
SIMTLAB_MATH float __fadd_ru(float a, float b) {
  return simtlab_rounded_float(simtlab_rounded_add, simtlab_round_up, a, b, 0.0f);
}
SIMTLAB_MATH float __fsub_ru(float a, float b) {
  return simtlab_rounded_float(simtlab_rounded_subtract, simtlab_round_up, a, b, 0.0f);
}
SIMTLAB_MATH float __fmul_ru(float a, float b) {
  return simtlab_rounded_float(simtlab_rounded_multiply, simtlab_round_up, a, b, 0.0f);
}
SIMTLAB_MATH float __fdiv_ru(float a, float b) {
  return simtlab_rounded_float(simtlab_rounded_divide, simtlab_round_up, a, b, 0.0f);
}
SIMTLAB_MATH float __frcp_ru(float x) {
  return simtlab_rounded_float(simtlab_rounded_divide, simtlab_round_up, 1.0f, x, 0.0f);
}
SIMTLAB_MATH float __fsqrt_ru(float x) {
  return simtlab_rounded_float(simtlab_rounded_square_root, simtlab_round_up, x, 0.0f, 0.0f);
}
SIMTLAB_MATH float __fmaf_ru(float a, float b, float c) {
  return simtlab_rounded_float(simtlab_rounded_fused, simtlab_round_up, a, b, c);
}
SIMTLAB_MATH float __fadd_rd(float a, float b) {
  return simtlab_rounded_float(simtlab_rounded_add, simtlab_round_down, a, b, 0.0f);
}
SIMTLAB_MATH float __fsub_rd(float a, float b) {
  return simtlab_rounded_float(simtlab_rounded_subtract, simtlab_round_down, a, b, 0.0f);
}
SIMTLAB_MATH float __fmul_rd(float a, float b) {
  return simtlab_rounded_float(simtlab_rounded_multiply, simtlab_round_down, a, b, 0.0f);
}
SIMTLAB_MATH float __fdiv_rd(float a, float b) {
  return simtlab_rounded_float(simtlab_rounded_divide, simtlab_round_down, a, b, 0.0f);
}
SIMTLAB_MATH float __frcp_rd(float x) {
  return simtlab_rounded_float(simtlab_rounded_divide, simtlab_round_down, 1.0f, x, 0.0f);
}
SIMTLAB_MATH float __fsqrt_rd(float x) {
  return simtlab_rounded_float(simtlab_rounded_square_root, simtlab_round_down, x, 0.0f, 0.0f);
}
SIMTLAB_MATH float __fmaf_rd(float a, float b, float c) {
  return simtlab_rounded_float(simtlab_rounded_fused, simtlab_round_down, a, b, c);
}
SIMTLAB_MATH double __dadd_rz(double a, double b) {
  return simtlab_rounded_double(simtlab_rounded_add, simtlab_round_to_zero, a, b, 0.0);
}
SIMTLAB_MATH double __dsub_rz(double a, double b) {
  return simtlab_rounded_double(simtlab_rounded_subtract, simtlab_round_to_zero, a, b, 0.0);
}
SIMTLAB_MATH double __dmul_rz(double a, double b) {
  return simtlab_rounded_double(simtlab_rounded_multiply, simtlab_round_to_zero, a, b, 0.0);
}
SIMTLAB_MATH double __ddiv_rz(double a, double b) {
  return simtlab_rounded_double(simtlab_rounded_divide, simtlab_round_to_zero, a, b, 0.0);
}
SIMTLAB_MATH double __drcp_rz(double x) {
  return simtlab_rounded_double(simtlab_rounded_divide, simtlab_round_to_zero, 1.0, x, 0.0);
}
SIMTLAB_MATH double __dsqrt_rz(double x) {
  return simtlab_rounded_double(simtlab_rounded_square_root, simtlab_round_to_zero, x, 0.0, 0.0);
}
SIMTLAB_MATH double __fma_rz(double a, double b, double c) {
  return simtlab_rounded_double(simtlab_rounded_fused, simtlab_round_to_zero, a, b, c);
}
SIMTLAB_MATH double __dadd_ru(double a, double b) {
  return simtlab_rounded_double(simtlab_rounded_add, simtlab_round_up, a, b, 0.0);
}
SIMTLAB_MATH double __dsub_ru(double a, double b) {
  return simtlab_rounded_double(simtlab_rounded_subtract, simtlab_round_up, a, b, 0.0);
}
SIMTLAB_MATH double __dmul_ru(double a, double b) {
  return simtlab_rounded_double(simtlab_rounded_multiply, simtlab_round_up, a, b, 0.0);
}
SIMTLAB_MATH double __ddiv_ru(double a, double b) {
  return simtlab_rounded_double(simtlab_rounded_divide, simtlab_round_up, a, b, 0.0);
}
SIMTLAB_MATH double __drcp_ru(double x) {
  return simtlab_rounded_double(simtlab_rounded_divide, simtlab_round_up, 1.0, x, 0.0);
}
SIMTLAB_MATH double __dsqrt_ru(double x) {
  return simtlab_rounded_double(simtlab_rounded_square_root, simtlab_round_up, x, 0.0, 0.0);
}
SIMTLAB_MATH double __fma_ru(double a, double b, double c) {
  return simtlab_rounded_double(simtlab_rounded_fused, simtlab_round_up, a, b, c);
}
SIMTLAB_MATH double __dadd_rd(double a, double b) {
  return simtlab_rounded_double(simtlab_rounded_add, simtlab_round_down, a, b, 0.0);
}
SIMTLAB_MATH double __dsub_rd(double a, double b) {
  return simtlab_rounded_double(simtlab_rounded_subtract, simtlab_round_down, a, b, 0.0);
}
SIMTLAB_MATH double __dmul_rd(double a, double b) {
  return simtlab_rounded_double(simtlab_rounded_multiply, simtlab_round_down, a, b, 0.0);
}
SIMTLAB_MATH double __ddiv_rd(double a, double b) {
  return simtlab_rounded_double(simtlab_rounded_divide, simtlab_round_down, a, b, 0.0);
}
SIMTLAB_MATH double __drcp_rd(double x) {
  return simtlab_rounded_double(simtlab_rounded_divide, simtlab_round_down, 1.0, x, 0.0);
}
SIMTLAB_MATH double __dsqrt_rd(double x) {
  return simtlab_rounded_double(simtlab_rounded_square_root, simtlab_round_down, x, 0.0, 0.0);
}
SIMTLAB_MATH double __fma_rd(double a, double b, double c) {
  return simtlab_rounded_double(simtlab_rounded_fused, simtlab_round_down, a, b, c);
}

// What libm lacks, or has in newer versions only.
#if defined(__GLIBC__) && defined(__GLIBC_PREREQ)
#define SIMTLAB_GLIBC(major, minor) __GLIBC_PREREQ(major, minor)
#else
#define SIMTLAB_GLIBC(major, minor) 0
#endif
#if !SIMTLAB_GLIBC(2, 42)
SIMTLAB_MATH float rsqrtf(float x) { return 1.0f / sqrtf(x); }
SIMTLAB_MATH double rsqrt(double x) { return 1.0 / sqrt(x); }
#endif
SIMTLAB_MATH float rsqrt(float x) { return 1.0f / sqrtf(x); }
SIMTLAB_MATH float rcbrtf(float x) { return 1.0f / cbrtf(x); }
SIMTLAB_MATH double rcbrt(double x) { return 1.0 / cbrt(x); }
SIMTLAB_MATH float rhypotf(float x, float y) { return 1.0f / hypotf(x, y); }
SIMTLAB_MATH double rhypot(double x, double y) { return 1.0 / hypot(x, y); }
SIMTLAB_MATH float norm3df(float x, float y, float z) { return sqrtf(x * x + y * y + z * z); }
SIMTLAB_MATH double norm3d(double x, double y, double z) { return sqrt(x * x + y * y + z * z); }
SIMTLAB_MATH float norm4df(float x, float y, float z, float w) { return sqrtf(x * x + y * y + z * z + w * w); }
SIMTLAB_MATH double norm4d(double x, double y, double z, double w) { return sqrt(x * x + y * y + z * z + w * w); }
SIMTLAB_MATH float rnorm3df(float x, float y, float z) { return 1.0f / norm3df(x, y, z); }
SIMTLAB_MATH double rnorm3d(double x, double y, double z) { return 1.0 / norm3d(x, y, z); }
#if !SIMTLAB_GLIBC(2, 41)
SIMTLAB_MATH double sinpi(double x) { return sin(remainder(x, 2.0) * 3.14159265358979323846); }
SIMTLAB_MATH double cospi(double x) { return cos(remainder(x, 2.0) * 3.14159265358979323846); }
SIMTLAB_MATH float sinpif(float x) { return static_cast<float>(sinpi(static_cast<double>(x))); }
SIMTLAB_MATH float cospif(float x) { return static_cast<float>(cospi(static_cast<double>(x))); }
#endif
SIMTLAB_MATH void sincospi(double x, double* sine, double* cosine) {
  *sine = sinpi(x);
  *cosine = cospi(x);
}
SIMTLAB_MATH void sincospif(float x, float* sine, float* cosine) {
  *sine = sinpif(x);
  *cosine = cospif(x);
}
SIMTLAB_MATH double normcdf(double x) { return 0.5 * erfc(-x * 0.70710678118654752440); }
SIMTLAB_MATH float normcdff(float x) { return static_cast<float>(normcdf(static_cast<double>(x))); }
SIMTLAB_MATH double erfcx(double x) { return exp(x * x) * erfc(x); }
SIMTLAB_MATH float erfcxf(float x) { return static_cast<float>(erfcx(static_cast<double>(x))); }
inline double erfcinv(double y);
/// The inverse of erf: Winitzki's approximation (2008), made exact by three steps of Newton's method with erf itself. Towards the
/// ends, where 1 - y is exact and erf has few digits left, that of erfc.
inline double erfinv(double y) {
  if (!(y >= -0.5 && y <= 0.5)) return y != y ? y : copysign(erfcinv(1.0 - fabs(y)), y);
  if (y == 0.0) return y;
  const double log_rest = log1p(-y * y), a = 0.147, b = 2.0 / (3.14159265358979323846 * a) + log_rest / 2.0;
  double x = copysign(sqrt(sqrt(b * b - log_rest / a) - b), y);
  for (int step = 0; step < 3; ++step) x -= (erf(x) - y) * 0.88622692545275801365 * exp(x * x);
  return x;
}
/// The inverse of erfc: Newton's method for its logarithm, which keeps the digits where y is near 0.
inline double erfcinv(double y) {
  if (y > 0.5) return y > 2.0 ? __builtin_nan("") : erfinv(1.0 - y);
  if (!(y > 0.0)) return y == 0.0 ? HUGE_VAL : __builtin_nan("");
  double x = sqrt(-log(y * sqrt(3.14159265358979323846 * fmax(-log(y), 1.0))));
  if (!(x > 0.4)) x = 0.4;
  for (int step = 0; step < 8; ++step) {
    const double tail = erfc(x);
    if (tail == 0.0) break;
    x += log(tail / y) * tail * 0.88622692545275801365 * exp(x * x);
  }
  return x;
}
SIMTLAB_MATH double normcdfinv(double y) { return 0.0 - 1.41421356237309504880 * erfcinv(2.0 * y); }
SIMTLAB_MATH float erfinvf(float y) { return static_cast<float>(erfinv(static_cast<double>(y))); }
SIMTLAB_MATH float erfcinvf(float y) { return static_cast<float>(erfcinv(static_cast<double>(y))); }
SIMTLAB_MATH float normcdfinvf(float y) { return static_cast<float>(normcdfinv(static_cast<double>(y))); }
SIMTLAB_MATH float erfinv(float y) { return erfinvf(y); }
SIMTLAB_MATH float erfcinv(float y) { return erfcinvf(y); }
SIMTLAB_MATH float normcdfinv(float y) { return normcdfinvf(y); }
SIMTLAB_MATH double norm(int n, const double* x) {
  double squares = 0.0;
  while (n > 0) squares += x[n - 1] * x[n - 1], --n;
  return sqrt(squares);
}
SIMTLAB_MATH float normf(int n, const float* x) {
  float squares = 0.0f;
  while (n > 0) squares += x[n - 1] * x[n - 1], --n;
  return sqrtf(squares);
}
SIMTLAB_MATH double rnorm(int n, const double* x) { return 1.0 / norm(n, x); }
SIMTLAB_MATH float rnormf(int n, const float* x) { return 1.0f / normf(n, x); }
SIMTLAB_MATH double rnorm4d(double x, double y, double z, double w) { return 1.0 / norm4d(x, y, z, w); }
SIMTLAB_MATH float rnorm4df(float x, float y, float z, float w) { return 1.0f / norm4df(x, y, z, w); }
/// The modified Bessel functions of the first kind: the power series, whose terms all have one sign.
inline double cyl_bessel_i0(double x) {
  double term = 1.0, sum = 1.0;
  for (int step = 1; term > sum * 1e-17; ++step) sum += term *= x * x / (4.0 * step * step);
  return sum;
}
inline double cyl_bessel_i1(double x) {
  double term = 0.5, sum = 0.5;
  for (int step = 1; term > sum * 1e-17; ++step) sum += term *= x * x / (4.0 * step * (step + 1.0));
  return x * sum;
}
SIMTLAB_MATH float cyl_bessel_i0f(float x) { return static_cast<float>(cyl_bessel_i0(static_cast<double>(x))); }
SIMTLAB_MATH float cyl_bessel_i1f(float x) { return static_cast<float>(cyl_bessel_i1(static_cast<double>(x))); }
SIMTLAB_MATH float rcbrt(float x) { return rcbrtf(x); }
SIMTLAB_MATH float rhypot(float x, float y) { return rhypotf(x, y); }
SIMTLAB_MATH float sinpi(float x) { return sinpif(x); }
SIMTLAB_MATH float cospi(float x) { return cospif(x); }
SIMTLAB_MATH float normcdf(float x) { return normcdff(x); }
SIMTLAB_MATH float erfcx(float x) { return erfcxf(x); }
SIMTLAB_MATH float exp10(float x) { return exp10f(x); }

// Bits
SIMTLAB_MATH int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
SIMTLAB_MATH unsigned int __float_as_uint(float x) { return __builtin_bit_cast(unsigned int, x); }
SIMTLAB_MATH float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
SIMTLAB_MATH float __uint_as_float(unsigned int x) { return __builtin_bit_cast(float, x); }
SIMTLAB_MATH long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
SIMTLAB_MATH double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
SIMTLAB_MATH int __double2hiint(double x) { return static_cast<int>(__double_as_longlong(x) >> 32); }
SIMTLAB_MATH int __double2loint(double x) { return static_cast<int>(__double_as_longlong(x)); }
SIMTLAB_MATH double __hiloint2double(int high, int low) {
  return __longlong_as_double(static_cast<long long>(
      static_cast<unsigned long long>(static_cast<unsigned>(high)) << 32 | static_cast<unsigned>(low)));
}

// Conversions; out-of-range values saturate. NaN becomes 0, or the highest bit alone where source or result has 64 bits, as on an
// H200 (tests/programs/directed_rounding.cu).
namespace simtlab {
template <class To, class From = float>
SIMTLAB_MATH To saturated(double x) {
  constexpr To low =
      static_cast<To>(-1) < 0 ? static_cast<To>(static_cast<To>(1) << (sizeof(To) * CHAR_BIT - 1)) : To(0);
  constexpr To high = static_cast<To>(~low);
  constexpr bool is_wide = (sizeof(To) == 8 || sizeof(From) == 8) && sizeof(To) >= 4;
  constexpr To of_nan = is_wide ? static_cast<To>(1ull << (sizeof(To) * CHAR_BIT - 1)) : To(0);
  return x != x                           ? of_nan
         : x <= static_cast<double>(low)  ? low
         : x >= static_cast<double>(high) ? high
                                          : static_cast<To>(x);
}
}  // namespace simtlab
SIMTLAB_MATH int __float2int_rn(float x) { return simtlab::saturated<int>(nearbyint(static_cast<double>(x))); }
SIMTLAB_MATH int __float2int_rz(float x) { return simtlab::saturated<int>(trunc(static_cast<double>(x))); }
SIMTLAB_MATH int __float2int_ru(float x) { return simtlab::saturated<int>(ceil(static_cast<double>(x))); }
SIMTLAB_MATH int __float2int_rd(float x) { return simtlab::saturated<int>(floor(static_cast<double>(x))); }
SIMTLAB_MATH unsigned int __float2uint_rn(float x) {
  return simtlab::saturated<unsigned int>(nearbyint(static_cast<double>(x)));
}
SIMTLAB_MATH unsigned int __float2uint_rz(float x) {
  return simtlab::saturated<unsigned int>(trunc(static_cast<double>(x)));
}
SIMTLAB_MATH unsigned int __float2uint_ru(float x) {
  return simtlab::saturated<unsigned int>(ceil(static_cast<double>(x)));
}
SIMTLAB_MATH unsigned int __float2uint_rd(float x) {
  return simtlab::saturated<unsigned int>(floor(static_cast<double>(x)));
}
SIMTLAB_MATH long long __float2ll_rn(float x) {
  return simtlab::saturated<long long>(nearbyint(static_cast<double>(x)));
}
SIMTLAB_MATH long long __float2ll_rz(float x) { return simtlab::saturated<long long>(trunc(static_cast<double>(x))); }
SIMTLAB_MATH long long __float2ll_ru(float x) { return simtlab::saturated<long long>(ceil(static_cast<double>(x))); }
SIMTLAB_MATH long long __float2ll_rd(float x) { return simtlab::saturated<long long>(floor(static_cast<double>(x))); }
SIMTLAB_MATH unsigned long long __float2ull_rn(float x) {
  return simtlab::saturated<unsigned long long>(nearbyint(static_cast<double>(x)));
}
SIMTLAB_MATH unsigned long long __float2ull_rz(float x) {
  return simtlab::saturated<unsigned long long>(trunc(static_cast<double>(x)));
}
SIMTLAB_MATH unsigned long long __float2ull_ru(float x) {
  return simtlab::saturated<unsigned long long>(ceil(static_cast<double>(x)));
}
SIMTLAB_MATH unsigned long long __float2ull_rd(float x) {
  return simtlab::saturated<unsigned long long>(floor(static_cast<double>(x)));
}
SIMTLAB_MATH int __double2int_rn(double x) {
  return simtlab::saturated<int, double>(nearbyint(static_cast<double>(x)));
}
SIMTLAB_MATH int __double2int_rz(double x) { return simtlab::saturated<int, double>(trunc(static_cast<double>(x))); }
SIMTLAB_MATH int __double2int_ru(double x) { return simtlab::saturated<int, double>(ceil(static_cast<double>(x))); }
SIMTLAB_MATH int __double2int_rd(double x) { return simtlab::saturated<int, double>(floor(static_cast<double>(x))); }
SIMTLAB_MATH unsigned int __double2uint_rn(double x) {
  return simtlab::saturated<unsigned int, double>(nearbyint(static_cast<double>(x)));
}
SIMTLAB_MATH unsigned int __double2uint_rz(double x) {
  return simtlab::saturated<unsigned int, double>(trunc(static_cast<double>(x)));
}
SIMTLAB_MATH unsigned int __double2uint_ru(double x) {
  return simtlab::saturated<unsigned int, double>(ceil(static_cast<double>(x)));
}
SIMTLAB_MATH unsigned int __double2uint_rd(double x) {
  return simtlab::saturated<unsigned int, double>(floor(static_cast<double>(x)));
}
SIMTLAB_MATH long long __double2ll_rn(double x) {
  return simtlab::saturated<long long, double>(nearbyint(static_cast<double>(x)));
}
SIMTLAB_MATH long long __double2ll_rz(double x) {
  return simtlab::saturated<long long, double>(trunc(static_cast<double>(x)));
}
SIMTLAB_MATH long long __double2ll_ru(double x) {
  return simtlab::saturated<long long, double>(ceil(static_cast<double>(x)));
}
SIMTLAB_MATH long long __double2ll_rd(double x) {
  return simtlab::saturated<long long, double>(floor(static_cast<double>(x)));
}
SIMTLAB_MATH unsigned long long __double2ull_rn(double x) {
  return simtlab::saturated<unsigned long long, double>(nearbyint(static_cast<double>(x)));
}
SIMTLAB_MATH unsigned long long __double2ull_rz(double x) {
  return simtlab::saturated<unsigned long long, double>(trunc(static_cast<double>(x)));
}
SIMTLAB_MATH unsigned long long __double2ull_ru(double x) {
  return simtlab::saturated<unsigned long long, double>(ceil(static_cast<double>(x)));
}
SIMTLAB_MATH unsigned long long __double2ull_rd(double x) {
  return simtlab::saturated<unsigned long long, double>(floor(static_cast<double>(x)));
}
SIMTLAB_MATH float __int2float_rn(int x) { return static_cast<float>(x); }
SIMTLAB_MATH double __int2double_rn(int x) { return x; }
SIMTLAB_MATH float __uint2float_rn(unsigned int x) { return static_cast<float>(x); }
SIMTLAB_MATH double __uint2double_rn(unsigned int x) { return x; }
SIMTLAB_MATH float __ll2float_rn(long long x) { return static_cast<float>(x); }
SIMTLAB_MATH double __ll2double_rn(long long x) { return static_cast<double>(x); }
SIMTLAB_MATH float __ull2float_rn(unsigned long long x) { return static_cast<float>(x); }
SIMTLAB_MATH double __ull2double_rn(unsigned long long x) { return static_cast<double>(x); }
SIMTLAB_MATH float __double2float_rn(double x) { return static_cast<float>(x); }
SIMTLAB_MATH float __int2float_rz(int x) { return simtlab_float_of_signed(simtlab_round_to_zero, x); }
SIMTLAB_MATH float __uint2float_rz(unsigned int x) { return simtlab_float_of_unsigned(simtlab_round_to_zero, x); }
SIMTLAB_MATH float __ll2float_rz(long long x) { return simtlab_float_of_signed(simtlab_round_to_zero, x); }
SIMTLAB_MATH float __ull2float_rz(unsigned long long x) { return simtlab_float_of_unsigned(simtlab_round_to_zero, x); }
SIMTLAB_MATH double __ll2double_rz(long long x) { return simtlab_double_of_signed(simtlab_round_to_zero, x); }
SIMTLAB_MATH double __ull2double_rz(unsigned long long x) {
  return simtlab_double_of_unsigned(simtlab_round_to_zero, x);
}
SIMTLAB_MATH float __double2float_rz(double x) { return simtlab_float_of_double(simtlab_round_to_zero, x); }
SIMTLAB_MATH float __int2float_ru(int x) { return simtlab_float_of_signed(simtlab_round_up, x); }
SIMTLAB_MATH float __uint2float_ru(unsigned int x) { return simtlab_float_of_unsigned(simtlab_round_up, x); }
SIMTLAB_MATH float __ll2float_ru(long long x) { return simtlab_float_of_signed(simtlab_round_up, x); }
SIMTLAB_MATH float __ull2float_ru(unsigned long long x) { return simtlab_float_of_unsigned(simtlab_round_up, x); }
SIMTLAB_MATH double __ll2double_ru(long long x) { return simtlab_double_of_signed(simtlab_round_up, x); }
SIMTLAB_MATH double __ull2double_ru(unsigned long long x) { return simtlab_double_of_unsigned(simtlab_round_up, x); }
SIMTLAB_MATH float __double2float_ru(double x) { return simtlab_float_of_double(simtlab_round_up, x); }
SIMTLAB_MATH float __int2float_rd(int x) { return simtlab_float_of_signed(simtlab_round_down, x); }
SIMTLAB_MATH float __uint2float_rd(unsigned int x) { return simtlab_float_of_unsigned(simtlab_round_down, x); }
SIMTLAB_MATH float __ll2float_rd(long long x) { return simtlab_float_of_signed(simtlab_round_down, x); }
SIMTLAB_MATH float __ull2float_rd(unsigned long long x) { return simtlab_float_of_unsigned(simtlab_round_down, x); }
SIMTLAB_MATH double __ll2double_rd(long long x) { return simtlab_double_of_signed(simtlab_round_down, x); }
SIMTLAB_MATH double __ull2double_rd(unsigned long long x) { return simtlab_double_of_unsigned(simtlab_round_down, x); }
SIMTLAB_MATH float __double2float_rd(double x) { return simtlab_float_of_double(simtlab_round_down, x); }

#undef SIMTLAB_GLIBC
#undef SIMTLAB_MATH
