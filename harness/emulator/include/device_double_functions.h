// Part of cuda_runtime.h in this emulator.
#pragma once
#pragma GCC system_header
#define __DEVICE_DOUBLE_FUNCTIONS_H__  // the toolkit's guard, for headers that look for it

#include "cuda_runtime.h"
