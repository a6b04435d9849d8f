// Errors of calls, printed with their line.
#pragma once
#ifndef __clang__  // ../device_functions.h
#pragma GCC system_header
#endif

#include <stdio.h>
#include <stdlib.h>

#include "detail/config.h"

namespace cub {
inline cudaError_t Debug(cudaError_t error, const char* file, int line) {
  if (error != cudaSuccess)
    fprintf(stderr, "CUDA error %d [%s, %d]: %s\n", static_cast<int>(error), file, line, cudaGetErrorString(error));
  return error;
}
}  // namespace cub

#define CubDebug(e) cub::Debug((cudaError_t)(e), __FILE__, __LINE__)
#define CubDebugExit(e)                                            \
  do {                                                             \
    if (cub::Debug((cudaError_t)(e), __FILE__, __LINE__)) exit(1); \
  } while (0)
