// Part of cuda_runtime.h in this emulator.
#pragma once
#pragma GCC system_header
#define __SM_32_INTRINSICS_H__  // the toolkit's guard, for headers that look for it

#include "cuda_runtime.h"
