// What every header of thrust/ begins with.
//
// Algorithms on device memory are kernels of the emulator (detail/launch.h), so that functors are device code, accesses are checked
// and counted, and streams keep their order. Algorithms on host memory are loops.
#pragma once
#ifndef __clang__  // ../../device_functions.h
#pragma GCC system_header
#endif

#include <stddef.h>

#include "../../cuda_runtime.h"

/// Of the API: its caller's line is the one that findings name.
#define SIMTLAB_THRUST __host__ __device__ inline __attribute__((always_inline, artificial))
#define SIMTLAB_THRUST_HOST inline __attribute__((always_inline, artificial))

#define THRUST_VERSION 200800
#define THRUST_MAJOR_VERSION 2
#define THRUST_MINOR_VERSION 8
#define THRUST_SUBMINOR_VERSION 0
