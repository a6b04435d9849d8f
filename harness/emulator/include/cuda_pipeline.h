// The primitives of asynchronous copies, by the toolkit's usual name. nvcuda::experimental::pipeline, which cuda::pipeline replaced, is
// not among them.
#pragma once
#pragma GCC system_header
#define _CUDA_PIPELINE_H_  // the toolkit's guard, for headers that look for it

#include "cuda_pipeline_primitives.h"
