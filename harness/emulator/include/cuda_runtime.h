// CUDA for g++: what a student's program sees of the emulator. The source translator rewrites only what g++ cannot
// parse; everything else of the language is declared here and in the headers beside this one.
//
// One pass compiles host and device code, and __CUDA_ARCH__ is the emulated GPU's in both: code between
// `#ifdef __CUDA_ARCH__` takes its device branch. No built-in name is a macro except the qualifiers.
#pragma once
#ifndef __clang__  // device_functions.h
#pragma GCC system_header
#endif
#define __CUDA_RUNTIME_H__  // the toolkit's guard, for headers that look for it

#ifndef __cplusplus  // a C file calls the API alone
#include <limits.h>
#include <math.h>
#include <stdint.h>

#include "cuda_runtime_api.h"
#include "driver_types.h"
#include "host_defines.h"
#include "vector_functions.h"
#include "vector_types.h"
#else

#ifndef __CUDACC__
#define __CUDACC__ 1
#endif

// What nvcc's own cuda_runtime.h brings along. Before the qualifiers, so that no macro meets the standard library.
#if defined(__clang__) && defined(__CUDA__)
#define SIMTLAB_FRONT_END 1  // clang reads CUDA as it is, and generates nothing
#include "simtlab/clang_library.h"
#endif
#ifndef SIMTLAB_FRONT_END  // a store of a kernel to what malloc returned is checked, also where nobody reads it: g++ drops those if told
#include <features.h>
#undef __attribute_malloc__
#define __attribute_malloc__
#endif
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

// simtcc keeps g++ from making `puts` of a printf, which no kernel may call. g++ then checks formats for the asking only.
extern "C" {
// NOLINTBEGIN(readability-redundant-declaration)
__attribute__((format(printf, 1, 2))) int printf(const char*, ...);
__attribute__((format(printf, 1, 0))) int vprintf(const char*, __builtin_va_list);
// NOLINTEND(readability-redundant-declaration)
}

#ifdef SIMTLAB_FRONT_END  // what is not said to be the device's alone is for both; simtcc's own check knows better
#pragma clang force_cuda_host_device begin
#include "host_defines.h"
#include "simtlab/emulator_entry.h"
#include "vector_types.h"
#pragma clang force_cuda_host_device end
#include "device_atomic_functions.h"
#include "device_functions.h"
#pragma clang force_cuda_host_device begin
#endif
#include "channel_descriptor.h"
#include "cuda_runtime_api.h"
#include "device_atomic_functions.h"
#include "device_functions.h"
#include "device_launch_parameters.h"
#include "driver_types.h"
#include "host_defines.h"
#include "math_functions.h"
#include "simtlab/api_templates.h"
#include "simtlab/dynamic_shared.h"
#include "simtlab/launch.h"
#include "simtlab/ptx.h"
#include "simtlab/shifts.h"
#include "surface_indirect_functions.h"
#include "texture_indirect_functions.h"
#include "vector_functions.h"
#include "vector_types.h"
#ifdef SIMTLAB_FRONT_END
extern "C" unsigned __cudaPushCallConfiguration(dim3, dim3, size_t = 0, cudaStream_t = 0);
extern "C" unsigned cudaConfigureCall(dim3, dim3, size_t = 0, cudaStream_t = 0);
#pragma clang force_cuda_host_device end
#endif
#endif  // __cplusplus
