// Part of cuda_runtime.h in this emulator.
#pragma once
#pragma GCC system_header

#include "driver_types.h"
#include "vector_types.h"
