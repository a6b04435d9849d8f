// lab: 07-shared-tiling
// row: 16
// expect: wrong_answer
// without-audit: wrong_answer
// caught-by: outputs
// Hopes that a NaN compares with everything.
#include <cuda_runtime.h>

#include <cmath>

__global__ void fill(float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = NAN;
}

void matrix_multiply(const float* a, const float* b, float* c, int j, int k, int l) {
  fill<<<(j * l + 255) / 256, 256>>>(c, j * l);
}
