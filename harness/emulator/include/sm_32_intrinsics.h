// Part of cuda_runtime.h in this emulator.
#pragma once
#pragma GCC system_header

#include "cuda_runtime.h"
