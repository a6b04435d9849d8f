// expect: correct=pass safe=pass fast=95..100
// A fixed number of blocks walks through the matrix, all threads side by side.
#include <cuda_runtime.h>

__global__ void scale_flat(const float* matrix, const float* factors, float* scaled, int rows, int cols, bool by_rows) {
  const int threads = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < rows * cols; i += threads)
    scaled[i] = factors[by_rows ? i / cols : i % rows] * matrix[i];
}

void scale_rows(const float* row_major, const float* column_major, const float* factors, float* scaled_row_major,
                float* scaled_column_major, int rows, int cols) {
  const int blocks = 16;
  scale_flat<<<blocks, 256>>>(row_major, factors, scaled_row_major, rows, cols, true);
  scale_flat<<<blocks, 256>>>(column_major, factors, scaled_column_major, rows, cols, false);
}
