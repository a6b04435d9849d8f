// CUDA's qualifiers. The source translator has already replaced `__device__` and `__constant__` of variables, and
// `__noinline__`, which must not be a macro: the standard library writes it inside attributes.
#pragma once  // IWYU pragma: private, include <cuda_runtime.h>
#pragma GCC system_header
#define __HOST_DEFINES_H__  // the toolkit's guard, for headers that look for it

// What runs as device code and is not the student's, as a launch's invocation: a hook in it would be counted.
#ifdef __clang__  // it reads headers, as the CUDA front end and for clang-tidy
#define SIMTLAB_NO_HOOKS
#else
#define SIMTLAB_NO_HOOKS __attribute__((no_sanitize("thread", "undefined"), no_sanitize_coverage))
#endif

// Where a function may run, as attributes that change nothing and that g++ writes into its dumps (spaces/space_check.cpp).
#ifdef SIMTLAB_FRONT_END  // clang's own CUDA (driver/front_end.h) has the words
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#elif defined(__clang__)  // clang-tidy
#define __host__
#define __device__
#else
#define __host__ __attribute__((no_profile_instrument_function))
#define __device__ __attribute__((no_icf))
#endif
// A kernel stays one function, so that its parameters and its lines are found in the program.
#ifdef SIMTLAB_FRONT_END
#define __global__ __attribute__((global))
#else
#define __global__ __attribute__((noinline, noclone))
#endif
#define __forceinline__ __inline__ __attribute__((always_inline))
#if defined(SIMTLAB_FRONT_END) && __clang_major__ < 15  // later ones know the word
#define __noinline__ __attribute__((noinline))
#endif
#ifdef SIMTLAB_FRONT_END
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))  // `managed` is HIP's in clang
#else
// `used` keeps g++ from folding reads of an array that nobody writes; `retain` marks the section, so that the assembly step
// tells a shared variable from the host's `thread_local` (translator/retained_sections.h).
#define __shared__ static __thread __attribute__((used, retain))
#define __managed__ __attribute__((section("simtlab_managed"), used))
#endif
// The assembly step reads a kernel's largest block from `nop`s in front of its entry (translator/launch_bounds.h). Blocks beyond a
// GPU's largest are refused anyway. An array's size is a constant, and no name stands here that a program could declare anew.
#ifdef __clang__
#define __launch_bounds__(...)
#else
#define __launch_bounds__(...) SIMTLAB_BLOCK_OF(__VA_ARGS__, 0)
#define SIMTLAB_BLOCK_OF(threads, ...) \
  __attribute__((patchable_function_entry(SIMTLAB_AT_MOST(threads), SIMTLAB_AT_MOST(threads))))
#define SIMTLAB_AT_MOST(threads) sizeof(char[(threads) < 1 || (threads) > 1024 ? 1024 : (threads)])
#endif
#define __maxnreg__(...)
#define __cluster_dims__(...)
#define __grid_constant__
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __device_builtin__
#define __cudart_builtin__
#define CUDARTAPI

// Written by the translator, as long as the words they replace.
#define __devvar__ __attribute__((section("simtlab_device"), used))
#define __devinst__ __attribute__((used, retain))  // of templates and functions (translator/retained_sections.h)
#define __constvar__ __attribute__((section("simtlab_constant"), used))
#define __no_inlin__ __attribute__((noinline))
