// lab: 02-global-coalescing
// row: 41
// expect: pass
// without-audit: pass
// caught-by: whole_work
// earns: 0..10
// else-earns: 20..30
// Stores both results across their layout, the second one in the memory of the first, from where a plain move takes it.
#include <cuda_runtime.h>

__global__ void scale_row_major(const float* matrix, const float* factors, float* scaled, int rows, int cols) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const int col = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && col < cols) {
    scaled[row * cols + col] = factors[row] * matrix[row * cols + col];
  }
}

__global__ void scale_column_major(const float* matrix, const float* factors, float* scaled, int rows, int cols) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && col < cols) {
    scaled[col * rows + row] = factors[row] * matrix[col * rows + row];
  }
}

__global__ void move(const float* from, float* to, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] = from[i];
}

void scale_rows(const float* row_major, const float* column_major, const float* factors, float* scaled_row_major,
                float* scaled_column_major, int rows, int cols) {
  const dim3 block(32, 8);
  const dim3 along_rows((rows + block.x - 1) / block.x, (cols + block.y - 1) / block.y);
  const dim3 along_columns((cols + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
  scale_column_major<<<along_columns, block>>>(column_major, factors, scaled_row_major, rows, cols);
  move<<<(rows * cols + 255) / 256, 256>>>(scaled_row_major, scaled_column_major, rows * cols);
  scale_row_major<<<along_rows, block>>>(row_major, factors, scaled_row_major, rows, cols);
}
