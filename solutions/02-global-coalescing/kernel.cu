// Lab 02: which thread touches which address?
//
// Two matrices of rows × cols floats are scaled row by row: element (r, c) of each result is factors[r] times element
// (r, c) of its matrix. The first is stored row after row, the second column after column, results like their matrices.
// All pointers are device memory; the sizes are any positive numbers.
#include <cuda_runtime.h>

__global__ void scale_row_major(const float* matrix, const float* factors, float* scaled, int rows, int cols) {
  // Which row and column are this thread's? Let neighbouring threads get neighbouring addresses.
  //@@ begin solution
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  //@@ end solution

  // If there is such an element, where in memory is it? Read it, scale it, store it.
  //@@ begin solution
  if (row < rows && col < cols) {
    scaled[row * cols + col] = factors[row] * matrix[row * cols + col];
  }
  //@@ end solution
}

__global__ void scale_column_major(const float* matrix, const float* factors, float* scaled, int rows, int cols) {
  // The same questions: which row and column now, so that neighbouring threads get neighbouring addresses?
  //@@ begin solution
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const int col = blockIdx.y * blockDim.y + threadIdx.y;
  //@@ end solution

  // And where in memory is this element?
  //@@ begin solution
  if (row < rows && col < cols) {
    scaled[col * rows + row] = factors[row] * matrix[col * rows + row];
  }
  //@@ end solution
}

// Called by the tests.
void scale_rows(const float* row_major, const float* column_major, const float* factors, float* scaled_row_major,
                float* scaled_column_major, int rows, int cols) {
  // Choose a block, and for each kernel a grid that covers its matrix. Are the two grids the same?
  //@@ begin solution
  const dim3 block(32, 8);
  const dim3 along_rows((cols + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
  const dim3 along_columns((rows + block.x - 1) / block.x, (cols + block.y - 1) / block.y);
  scale_row_major<<<along_rows, block>>>(row_major, factors, scaled_row_major, rows, cols);
  scale_column_major<<<along_columns, block>>>(column_major, factors, scaled_column_major, rows, cols);
  //@@ end solution
}
