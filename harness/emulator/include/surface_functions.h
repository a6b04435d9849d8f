// The toolkit's name for what includes the surface functions.
#pragma once  // IWYU pragma: private, include <cuda_runtime.h>
#pragma GCC system_header

#include "surface_indirect_functions.h"
