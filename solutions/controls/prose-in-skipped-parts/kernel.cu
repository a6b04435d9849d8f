// lab: 02-global-coalescing
// expect: pass
// Prose with lone quotes in parts that the preprocessor skips.
#include <cuda_runtime.h>

#if 0
My first try didn't coalesce: threads ran down the columns. The TA said "look at the strides.
#endif

__global__ void scale_rows_of(const float* matrix, const float* factors, float* scaled, int rows, int cols) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && col < cols) scaled[row * cols + col] = factors[row] * matrix[row * cols + col];
}

__global__ void scale_columns_of(const float* matrix, const float* factors, float* scaled, int rows, int cols) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x, col = blockIdx.y * blockDim.y + threadIdx.y;
#ifdef WITH_SHARED_MEMORY
  // clang-format off
  A tile wasn't needed here.
  // clang-format on
#else
  if (row < rows && col < cols) scaled[col * rows + row] = factors[row] * matrix[col * rows + row];
#endif
}

void scale_rows(const float* row_major, const float* column_major, const float* factors, float* scaled_row_major,
                float* scaled_column_major, int rows, int cols) {
  const dim3 block(32, 8), by_rows((cols + 31) / 32, (rows + 7) / 8), by_columns((rows + 31) / 32, (cols + 7) / 8);
  scale_rows_of<<<by_rows, block>>>(row_major, factors, scaled_row_major, rows, cols);
  scale_columns_of<<<by_columns, block>>>(column_major, factors, scaled_column_major, rows, cols);
}
