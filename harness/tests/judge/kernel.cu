/* clang-format off */  // Quoted by the judge in terminal_test.cpp; never compiled.
#include <cuda_runtime.h>

__global__ void scale_elements(const float* input, float* output, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    output[i] = 2 * input[i];
}
