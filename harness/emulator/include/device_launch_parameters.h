// The built-in variables. They are objects, not macros, so that a program may have members and variables of its own of
// these names. `const` makes g++ leave reads of them without a hook; the scheduler's thread-local words are behind them.
#pragma once  // IWYU pragma: private, include <cuda_runtime.h>
#pragma GCC system_header
#define __DEVICE_LAUNCH_PARAMETERS_H__  // the toolkit's guard, for headers that look for it

#include "vector_types.h"

#ifdef __cplusplus  // C has no kernels

#ifdef SIMTLAB_FRONT_END
/// The thread's place in its block.
extern const __attribute__((device)) uint3 threadIdx;
/// The block's place in its grid.
extern const __attribute__((device)) uint3 blockIdx;
/// How many threads a block has in each direction.
extern const __attribute__((device)) uint3 blockDim;
/// How many blocks the grid has in each direction.
extern const __attribute__((device)) uint3 gridDim;
#else
extern __thread const uint3 threadIdx __asm__("simtlab_thread_index");
extern __thread const uint3 blockIdx __asm__("simtlab_block_index");
extern __thread const uint3 blockDim __asm__("simtlab_block_dim");
extern __thread const uint3 gridDim __asm__("simtlab_grid_dim");
#endif
constexpr int warpSize = 32;
#endif
