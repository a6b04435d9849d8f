// expect: correct=fail safe=fail fast=not_measured
// Blocks of 256 × 1: more rows than 65,535 ask for more blocks in y than a grid can have.
#include <cuda_runtime.h>

__global__ void scale_row_major(const float* matrix, const float* factors, float* scaled, int rows, int cols) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && col < cols) {
    scaled[row * cols + col] = factors[row] * matrix[row * cols + col];
  }
}

__global__ void scale_column_major(const float* matrix, const float* factors, float* scaled, int rows, int cols) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const int col = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && col < cols) {
    scaled[col * rows + row] = factors[row] * matrix[col * rows + row];
  }
}

void scale_rows(const float* row_major, const float* column_major, const float* factors, float* scaled_row_major,
                float* scaled_column_major, int rows, int cols) {
  const dim3 block(256, 1);
  const dim3 along_rows((cols + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
  const dim3 along_columns((rows + block.x - 1) / block.x, (cols + block.y - 1) / block.y);
  scale_row_major<<<along_rows, block>>>(row_major, factors, scaled_row_major, rows, cols);
  scale_column_major<<<along_columns, block>>>(column_major, factors, scaled_column_major, rows, cols);
}
