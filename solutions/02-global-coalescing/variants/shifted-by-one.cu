// expect: correct=pass safe=pass fast=50..69
// The first warp takes 31 elements and every other starts one word before a sector does: 5 sectors where 4 would do.
#include <cuda_runtime.h>

__global__ void scale_flat(const float* matrix, const float* factors, float* scaled, int rows, int cols, bool by_rows) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) - 1;
  if (i >= 0 && i < rows * cols) scaled[i] = factors[by_rows ? i / cols : i % rows] * matrix[i];
}

void scale_rows(const float* row_major, const float* column_major, const float* factors, float* scaled_row_major,
                float* scaled_column_major, int rows, int cols) {
  const int blocks = (rows * cols + 256) / 256;
  scale_flat<<<blocks, 256>>>(row_major, factors, scaled_row_major, rows, cols, true);
  scale_flat<<<blocks, 256>>>(column_major, factors, scaled_column_major, rows, cols, false);
}
