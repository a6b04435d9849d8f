// expect: correct=fail safe=fail fast=not_measured
// The index is compared with the whole matrix: threads beyond the end of a row write into the next row, which another
// thread writes too.
// As a mutant: bound-dropped.
#include <cuda_runtime.h>

__global__ void scale_row_major(const float* matrix, const float* factors, float* scaled, int rows, int cols) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row * cols + col < rows * cols) {
    scaled[row * cols + col] = factors[row] * matrix[row * cols + col];
  }
}

__global__ void scale_column_major(const float* matrix, const float* factors, float* scaled, int rows, int cols) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const int col = blockIdx.y * blockDim.y + threadIdx.y;
  if (col * rows + row < rows * cols) {
    scaled[col * rows + row] = factors[row] * matrix[col * rows + row];
  }
}

void scale_rows(const float* row_major, const float* column_major, const float* factors, float* scaled_row_major,
                float* scaled_column_major, int rows, int cols) {
  const dim3 block(32, 8);
  const dim3 along_rows((cols + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
  const dim3 along_columns((rows + block.x - 1) / block.x, (cols + block.y - 1) / block.y);
  scale_row_major<<<along_rows, block>>>(row_major, factors, scaled_row_major, rows, cols);
  scale_column_major<<<along_columns, block>>>(column_major, factors, scaled_column_major, rows, cols);
}
