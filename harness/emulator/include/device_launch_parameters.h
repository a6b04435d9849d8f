// The built-in variables. They are objects, not macros, so that a program may have members and variables of its own of
// these names. `const` makes g++ leave reads of them without a hook; the scheduler's thread-local words are behind them.
#pragma once
#pragma GCC system_header

#include "vector_types.h"

#ifdef SIMTLAB_FRONT_END
extern const __attribute__((device)) uint3 threadIdx, blockIdx, blockDim, gridDim;
#else
extern __thread const uint3 threadIdx __asm__("simtlab_thread_index");
extern __thread const uint3 blockIdx __asm__("simtlab_block_index");
extern __thread const uint3 blockDim __asm__("simtlab_block_dim");
extern __thread const uint3 gridDim __asm__("simtlab_grid_dim");
#endif
constexpr int warpSize = 32;
