// Part of cuda_runtime_api.h in this emulator.
#pragma once
#pragma GCC system_header

#include "cuda_runtime_api.h"
