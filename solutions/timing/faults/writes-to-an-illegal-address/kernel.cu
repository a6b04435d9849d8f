// lab: 08-bank-conflicts
// expect: crash
// Every thread stores to an address that is nobody's.
#include <cuda_runtime.h>

__global__ void store_far_away(float* output) { output[(1LL << 44) + blockIdx.x] = 1.0f; }

void transpose(const float* input, float* output, int rows, int cols) { store_far_away<<<rows, 32>>>(output); }
