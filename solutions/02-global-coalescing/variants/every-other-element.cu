// expect: correct=pass safe=pass fast=0..9
// The even elements first, then the odd ones: each request uses half of its sectors.
#include <cuda_runtime.h>

__global__ void scale_flat(const float* matrix, const float* factors, float* scaled, int rows, int cols, bool by_rows) {
  const int threads = gridDim.x * blockDim.x;
  const int here = blockIdx.x * blockDim.x + threadIdx.x;
  for (int odd = 0; odd < 2; ++odd)
    for (int i = 2 * here + odd; i < rows * cols; i += 2 * threads)
      scaled[i] = factors[by_rows ? i / cols : i % rows] * matrix[i];
}

void scale_rows(const float* row_major, const float* column_major, const float* factors, float* scaled_row_major,
                float* scaled_column_major, int rows, int cols) {
  const int blocks = (rows * cols + 511) / 512;
  scale_flat<<<blocks, 256>>>(row_major, factors, scaled_row_major, rows, cols, true);
  scale_flat<<<blocks, 256>>>(column_major, factors, scaled_column_major, rows, cols, false);
}
