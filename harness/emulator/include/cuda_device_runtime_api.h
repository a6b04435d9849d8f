// Part of cuda_runtime_api.h in this emulator.
#pragma once
#pragma GCC system_header
#define __CUDA_DEVICE_RUNTIME_API_H__  // the toolkit's guard, for headers that look for it

#include "cuda_runtime_api.h"
