// Part of cuda_runtime.h in this emulator.
#pragma once
#pragma GCC system_header
#define __DEVICE_TYPES_H__  // the toolkit's guard, for headers that look for it

#include "driver_types.h"
#include "vector_types.h"

enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };
