// cudaError_t for lab.cpp: the real one in the runner; in the judge, which knows no backend, only its name and size.
#pragma once

#if defined(SIMTLAB_RUNNER)
#include <cuda_runtime.h>
#else
// NOLINTNEXTLINE(readability-identifier-naming): the CUDA runtime's own name
enum cudaError : unsigned int;
using cudaError_t = cudaError;
#endif
