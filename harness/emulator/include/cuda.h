// The driver API is not part of the emulator; programs include this header for its version and its types.
#pragma once
#pragma GCC system_header

#include "cuda_runtime_api.h"

typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st* CUcontext;
typedef struct CUstream_st* CUstream;
typedef struct CUevent_st* CUevent;
typedef enum cudaError_enum { CUDA_SUCCESS = 0 } CUresult;
