// expect: correct=pass safe=pass fast=40..50
// Each thread scales a whole row: neighbouring lanes are a row apart in the row-major matrix, and neighbours in the other.
// Without the topic: 70 of 100 points.
#include <cuda_runtime.h>

__global__ void scale(const float* by_rows, const float* by_columns, const float* factors, float* scaled_by_rows,
                      float* scaled_by_columns, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float factor = factors[row];
  for (int col = 0; col < cols; ++col) {
    scaled_by_rows[row * cols + col] = factor * by_rows[row * cols + col];
    scaled_by_columns[col * rows + row] = factor * by_columns[col * rows + row];
  }
}

void scale_rows(const float* row_major, const float* column_major, const float* factors, float* scaled_row_major,
                float* scaled_column_major, int rows, int cols) {
  scale<<<(rows + 127) / 128, 128>>>(row_major, column_major, factors, scaled_row_major, scaled_column_major, rows,
                                     cols);
}
