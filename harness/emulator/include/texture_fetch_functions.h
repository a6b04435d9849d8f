// The name that CUDA 11 had for it.
#pragma once
#pragma GCC system_header

#include "texture_indirect_functions.h"
