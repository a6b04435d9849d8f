// CUDA for g++: what a student's program sees of the emulator. The source translator rewrites only what g++ cannot
// parse; everything else of the language is declared here and in the headers beside this one.
//
// One pass compiles host and device code, so __CUDACC__ is defined and __CUDA_ARCH__ is not: code between
// `#ifdef __CUDA_ARCH__` takes its host branch. No built-in name is a macro except the qualifiers.
#pragma once
#pragma GCC system_header

#ifndef __CUDACC__
#define __CUDACC__ 1
#endif

// What nvcc's own cuda_runtime.h brings along. Before the qualifiers, so that no macro meets the standard library.
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
#include "texture_indirect_functions.h"
#include "vector_functions.h"
#include "vector_types.h"
