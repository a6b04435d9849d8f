// expect: correct=pass safe=pass fast=0..9
// Each thread takes four neighbouring elements one after the other: lanes are 16 bytes apart, a quarter of each sector is
// used.
#include <cuda_runtime.h>

__global__ void scale_flat(const float* matrix, const float* factors, float* scaled, int rows, int cols, bool by_rows) {
  const int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  for (int i = first; i < first + 4 && i < rows * cols; ++i)
    scaled[i] = factors[by_rows ? i / cols : i % rows] * matrix[i];
}

void scale_rows(const float* row_major, const float* column_major, const float* factors, float* scaled_row_major,
                float* scaled_column_major, int rows, int cols) {
  const int blocks = (rows * cols + 1023) / 1024;
  scale_flat<<<blocks, 256>>>(row_major, factors, scaled_row_major, rows, cols, true);
  scale_flat<<<blocks, 256>>>(column_major, factors, scaled_column_major, rows, cols, false);
}
